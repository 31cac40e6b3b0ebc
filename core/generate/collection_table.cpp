// Facts about matrices of the SuiteSparse collection (Davis & Hu 2011). Rows, columns, nonzeros and row lengths are
// from the benchmark results of the Ginkgo project (ginkgo-data, a JSON file per matrix). Symmetry and type are from
// the collection's own index (suitesparse-matrix-collection-website, fields numeric_symmetry and rb_type). The file has
// no entry of any of these matrices.
#include "core/generate/collection_table.hpp"

namespace warpspy::generate_detail {
namespace {

// clang-format off
constexpr CollectionFacts facts[] = {
    // name, rows, columns, nnz, row lengths: min, q1, median, q3, max, variance; longest column, symmetry, family,
    // numeric symmetry, contents
    {"cant", 62451, 62451, 4007383, 1, 51, 74, 75, 78, 197.578, 78, 1, Family::solid, 1, Contents::real},
    {"consph", 83334, 83334, 6010480, 1, 72, 81, 81, 81, 364.054, 81, 1, Family::solid, 1, Contents::real},
    {"cop20k_A", 121192, 121192, 2624331, 0, 18, 23, 23, 81, 190.238, 81, 1, Family::field, 1, Contents::real},
    {"mac_econ_fwd500", 206500, 206500, 1273389, 1, 3, 5, 8, 44, 19.677, 47, 0.0599573583, Family::economy, 0.006, Contents::real},
    {"pdb1HYS", 36417, 36417, 4344765, 18, 99, 123, 144, 204, 1015.084, 204, 1, Family::solid, 1, Contents::real},
    {"pwtk", 217918, 217918, 11634424, 2, 54, 54, 54, 180, 22.505, 180, 1, Family::solid, 1, Contents::real},
    {"rail4284", 4284, 1096894, 11284032, 2, 364.5, 1159, 3045.5, 56182, 17717863.982, 12, 0, Family::program, 0, Contents::integer},
    {"rma10", 46835, 46835, 2374001, 4, 29, 46, 70, 145, 771.762, 145, 1, Family::solid, 0.236, Contents::real},
    {"scircuit", 170998, 170998, 958936, 1, 4, 5, 6, 353, 19.291, 353, 0.999946702, Family::circuit, 0.801, Contents::real},
    {"shipsec1", 140874, 140874, 7813404, 24, 54, 54, 54, 102, 122.651, 102, 1, Family::solid, 1, Contents::real},
    {"webbase-1M", 1000005, 1000005, 3105536, 1, 2, 2, 2, 4700, 642.38, 28685, 0.0955255468, Family::web, 0.016, Contents::real},
    {"dc1", 116835, 116835, 766396, 1, 2, 5, 7, 114190, 130680.878, 114174, 0.854247715, Family::circuit, 0.243, Contents::real},
    {"dc2", 116835, 116835, 766396, 1, 2, 5, 7, 114190, 130680.878, 114174, 0.854247715, Family::circuit, 0.243, Contents::real},
    {"raefsky3", 21200, 21200, 1488768, 32, 72, 72, 72, 80, 40.031, 80, 1, Family::solid, 0.476, Contents::real},
    {"TSOPF_RS_b2383", 38120, 38120, 16171169, 2, 4, 6, 983, 983, 234485.955, 16352, 0.00248571803, Family::dense_rows, 0, Contents::real},
    {"msdoor", 415863, 415863, 20240935, 28, 35, 49, 63, 77, 137.125, 77, 1, Family::solid, 1, Contents::real},
    {"torso1", 116158, 116158, 8516500, 9, 9, 9, 9, 3263, 176054.04, 1224, 0.424387483, Family::field, 0, Contents::real},
    {"Stanford", 281903, 281903, 2312497, 0, 1, 2, 4, 38606, 27666.215, 255, 0.276636899, Family::web, 0.277, Contents::ones},
    {"Stanford_Berkeley", 683446, 683446, 7583376, 0, 1, 2, 5, 83448, 81129.318, 249, 0.250205186, Family::web, 0.25, Contents::ones},
    {"web-Google", 916428, 916428, 5105039, 0, 1, 3, 9, 456, 42.988, 6326, 0.306751036, Family::web, 0.307, Contents::ones},
    {"pre2", 659033, 659033, 5959282, 1, 5, 6, 8, 628, 489.368, 745, 0.331776091, Family::circuit, 0.065, Contents::real},
    {"cage14", 1505785, 1505785, 27130349, 5, 14, 18, 21, 41, 28.814, 41, 1, Family::walk, 0.207, Contents::real},
    {"cage13", 445315, 445315, 7479343, 3, 13, 16, 20, 39, 26.3, 39, 1, Family::walk, 0.2, Contents::real},
    {"cage12", 130228, 130228, 2032536, 5, 12, 15, 19, 33, 22.176, 33, 1, Family::walk, 0.194, Contents::real},
    {"shallow_water1", 81920, 81920, 327680, 4, 4, 4, 4, 4, 0, 4, 1, Family::grid, 1, Contents::real},
    {"crankseg_2", 63838, 63838, 14148858, 48, 154, 195, 282, 3423, 9192.15, 3423, 1, Family::solid, 1, Contents::real},
    {"nd24k", 72000, 72000, 28715634, 110, 357, 434, 453, 520, 5920.308, 520, 1, Family::solid, 1, Contents::real},
    {"F1", 343791, 343791, 26837113, 24, 57, 69, 81, 435, 1665.384, 435, 1, Family::solid, 1, Contents::real},
    {"ldoor", 952203, 952203, 46522475, 28, 35, 49, 63, 77, 142.721, 77, 1, Family::solid, 1, Contents::real},
    {"2cubes_sphere", 101492, 101492, 1647264, 5, 13, 16, 19, 31, 7.042, 31, 1, Family::field, 1, Contents::real},
    {"amazon0505", 410236, 410236, 3356824, 0, 7, 10, 10, 10, 9.444, 2760, 0.546580339, Family::web, 0.547, Contents::ones},
    {"filter3D", 106437, 106437, 2707179, 8, 18, 23, 27, 112, 160.67, 112, 1, Family::field, 1, Contents::real},
    {"poisson3Da", 13514, 13514, 352762, 6, 19, 23, 27, 110, 189.461, 110, 1, Family::field, 0, Contents::real},
    {"poisson3Db", 85623, 85623, 2374949, 6, 19, 23, 27, 145, 216.445, 145, 1, Family::field, 0, Contents::real},
    {"sme3Dc", 42930, 42930, 3148656, 24, 54, 69, 81, 405, 1367.794, 405, 0.999979393, Family::solid, 0.439, Contents::real},
    {"cont11_l", 1468599, 1961394, 5382999, 3, 3, 3, 5, 5, 0.888, 7, 0, Family::band, 0, Contents::real},
    {"Rucci1", 1977885, 109900, 7791168, 1, 4, 4, 4, 4, 0.118, 108, 0, Family::band, 0, Contents::real},
    {"rajat31", 4690002, 4690002, 20316253, 1, 3, 5, 5, 1252, 1.224, 1252, 1, Family::circuit, 0.4, Contents::real},
    {"ASIC_320k", 321821, 321821, 2635364, 1, 4, 5, 9, 203800, 252960.12, 203800, 1, Family::circuit, 0.358, Contents::real},
    {"ASIC_680k", 682862, 682862, 3871773, 1, 3, 3, 3, 395259, 435345.75, 395259, 1, Family::circuit, 0.004, Contents::real},
    {"bone010", 986703, 986703, 71666325, 12, 72, 81, 81, 81, 249.97, 81, 1, Family::solid, 1, Contents::real},
    {"delaunay_n20", 1048576, 1048576, 6291372, 3, 5, 6, 7, 23, 1.787, 23, 1, Family::map, 1, Contents::ones},
    {"xenon2", 157464, 157464, 3866688, 1, 22, 27, 27, 27, 16.556, 27, 1, Family::field, 0.776, Contents::real},
    {"stomach", 213360, 213360, 3021648, 7, 7, 19, 19, 19, 34.649, 22, 0.847491425, Family::field, 0, Contents::real},
    {"torso3", 259156, 259156, 4429042, 7, 19, 19, 19, 22, 19.292, 21, 0.951372292, Family::field, 0, Contents::real},
    {"tmt_sym", 726713, 726713, 5080961, 3, 6, 7, 8, 9, 1.015, 9, 1, Family::grid, 1, Contents::real},
    {"bcsstk17", 10974, 10974, 428650, 1, 27, 45, 54, 150, 237.578, 150, 1, Family::solid, 1, Contents::real},
    {"bcsstk18", 11948, 11948, 149090, 1, 6, 12, 18, 49, 58.133, 49, 1, Family::solid, 1, Contents::real},
    {"bcsstk36", 23052, 23052, 1143140, 8, 46, 53, 54, 178, 149.361, 178, 1, Family::solid, 1, Contents::real},
    {"memplus", 17758, 17758, 126150, 2, 3, 4, 5, 574, 485.561, 574, 1, Family::circuit, 0.496, Contents::real},
    {"circuit5M", 5558326, 5558326, 59524291, 1, 5, 5, 5, 1290501, 1840407.716, 1290501, 0.999999852, Family::circuit, 0.42, Contents::real},
    {"FullChip", 2987012, 2987012, 26621990, 1, 5, 6, 8, 2312481, 3264522.734, 2312476, 0.999999619, Family::circuit, 0.006, Contents::real},
    {"mip1", 66463, 66463, 10352819, 4, 13, 40, 204, 66395, 123021.576, 66395, 1, Family::dense_rows, 1, Contents::ones},
    {"Ga41As41H72", 268096, 268096, 18488476, 18, 34, 37, 37, 702, 11106.536, 702, 1, Family::quantum, 1, Contents::real},
    {"Si41Ge41H72", 185639, 185639, 15011265, 13, 34, 37, 37, 662, 16121.853, 662, 1, Family::quantum, 1, Contents::real},
    {"in-2004", 1382908, 1382908, 16917053, 0, 1, 5, 13, 7753, 1386.074, 21866, 0.356497417, Family::web, 0.356, Contents::ones},
    {"eu-2005", 862664, 862664, 19235140, 0, 5, 16, 29, 6985, 860.449, 68922, 0.277066805, Family::web, 0.277, Contents::ones},
    {"wiki-Talk", 2394385, 2394385, 5021410, 0, 0, 0, 0, 100022, 9983.01, 3311, 0.144120874, Family::web, 0.144, Contents::ones},
    {"mawi_201512012345", 18571154, 18571154, 38040320, 1, 1, 1, 1, 16399896, 14484204.093, 16399896, 1, Family::network, 1, Contents::integer},
    {"kron_g500-logn20", 1048576, 1048576, 89239674, 0, 1, 4, 28, 131504, 410858.109, 131504, 1, Family::network, 1, Contents::integer},
    {"rgg_n_2_20_s0", 1048576, 1048576, 13783240, 0, 11, 13, 15, 36, 13.164, 36, 1, Family::map, 1, Contents::ones},
    {"road_usa", 23947347, 23947347, 57708624, 1, 2, 2, 3, 9, 0.863, 9, 1, Family::map, 1, Contents::ones},
};
// clang-format on

}  // namespace

std::span<const CollectionFacts> collection_table() { return facts; }

}  // namespace warpspy::generate_detail
