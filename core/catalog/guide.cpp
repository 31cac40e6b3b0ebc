#include "core/catalog/guide.hpp"

namespace warpspy {
namespace {

constexpr Chapter guide_chapters[] = {
    {"product", "A sparse matrix times a vector",
     "A matrix with mostly zeros is sparse. Only the other entries are stored, each with its place. Their number is "
     "nnz.\n"
     "SpMV is y = A x: every entry is multiplied by the x of its column, and the products of a row are added up. That "
     "is "
     "two flops for each entry.\n"
     "Solvers do this product thousands of times with the same matrix. So it pays to think about how the matrix is "
     "stored, and who computes which row.\n"
     "The pattern shows where the entries lie. The row lengths below it say how even the work is.",
     "##......#/###....../.###...../..###..../...###.../#...###../.....###./......###/.......##",
     "A pattern: a square for each entry. Its rows have two to four.", "matrix"},
    {"bytes", "Why bytes decide",
     "An entry in f32 takes 4 bytes, and its column number another 4. For 8 bytes the GPU does two flops.\n"
     "An H200 can do about 14 flops in the time in which one byte comes from its memory. It spends most of a product "
     "waiting for bytes.\n"
     "So the first question is never how fast the arithmetic is. It is how many bytes must move, and from where.\n"
     "The least is each array once: matrix, x and y. What a product moves beyond that is what one can save.",
     "####oooo/####oooo/####oooo/####oooo", "Each entry: its value (blue) and its column number (orange).", "traffic"},
    {"warps", "Threads, warps and lanes",
     "A GPU runs threads in groups of 32, the warps. All lanes of a warp do the same instruction at the same time.\n"
     "Give each row to a thread, and lanes with short rows wait for the longest one of their warp. They are idle, but "
     "their turn is taken.\n"
     "Give each row to a whole warp, and rows of three entries leave 29 lanes idle.\n"
     "Between the two lies the number of threads per row, which you can drag and watch.",
     "####............/######........../###............./################/##............../#####.........../"
     "####............"
     "/###.............",
     "A thread for each row: one long row keeps all others waiting.", "warp"},
    {"sectors", "Requests, lines and sectors",
     "One load of a warp is a request: up to 32 addresses. Caches do not fetch bytes but sectors of 32 bytes, four of "
     "which "
     "are a line.\n"
     "Lanes side by side that read bytes side by side need four sectors for 32 floats. That is coalesced.\n"
     "Lanes that read bytes far apart need a sector each. Of its 32 bytes they use four, and the rest travels for "
     "nothing.\n"
     "The view of a warp draws every lane, its address, and the sectors that it touches.",
     "################################/#ooooooo#ooooooo#ooooooo#ooooooo",
     "Above: coalesced. Below: a sector for each lane.", "warp"},
    {"caches", "L1, L2 and DRAM",
     "Each SM has an L1 cache of its own. All SMs share L2, which holds some tens of MB. Behind it lies DRAM, large "
     "and "
     "slow.\n"
     "The matrix is read once, so no cache can help it within a product. But x is read again and again: for each entry "
     "of its column.\n"
     "Where neighbouring rows use the same parts of x, L1 and L2 have them. Reordering the matrix brings such rows "
     "together; a random shuffle shows what that is worth.\n"
     "A product that follows itself may find all it needs in L2. Then it is warm, and DRAM moves next to nothing. With "
     "cold caches everything comes from DRAM.",
     "####            /################/################################", "L1, L2, DRAM: each larger, and slower.",
     "memory"},
    {"latency", "Latency, and how it is hidden",
     "From a load to its data pass some hundred cycles. A GPU does not wait: it runs another warp meanwhile.\n"
     "That works while enough warps live on an SM. Their share of the most that fit is the occupancy.\n"
     "It works, too, when a thread has several loads on their way at once.\n"
     "Where neither is so, the memory is idle although nobody has what he waits for. Latency limits then, not "
     "bandwidth.",
     "#xxxxxxxxxxx#/.#xxxxxxxxxxx#/..#xxxxxxxxxxx#/...#xxxxxxxxxxx#",
     "Four warps: each issues a load (blue) and waits (grey), while others issue.", "warp"},
    {"formats", "Formats",
     "CSR stores the entries row after row. It has no padding, and suits any matrix.\n"
     "COO stores row and column with each entry. Its work is even whatever the rows, for more bytes.\n"
     "ELL pads all rows to the longest one and stores them by columns, so that loads are coalesced. One long row ruins "
     "it.\n"
     "SELL does the same slice by slice, with rows sorted by length: little padding remains. HYB puts the first K "
     "entries "
     "of each row in ELL and the rest in COO.\n"
     "DIA stores whole diagonals without any column number. For stencils nothing is smaller.\n"
     "The tab Formats says what each costs for your matrix, to the byte, before anything is built.",
     "####..../###...../########/##....../#####...", "ELL: one long row pads all others.", "formats"},
    {"balance", "Even work",
     "Blocks of threads are dealt to SMs as these have room. The launch ends when the last one has ended.\n"
     "A row of a million entries beside rows of three keeps one warp busy long after all others are done.\n"
     "Kernels that split rows share entries out instead: each warp has as many. They add up what belongs to one row "
     "afterwards.\n"
     "The tail is the end of a launch, when some SMs have no block left. Smaller blocks make it shorter.",
     "################/############..../#############.../##########......", "Four SMs: grey is the tail.", "diagnosis"},
    {"roofline", "The roofline",
     "The roofline draws speed over intensity: flops for each byte that a level of memory moved. Both axes are "
     "logarithmic.\n"
     "Each level has a slope: the speed that its bandwidth allows. The flat line is the peak of the arithmetic.\n"
     "A run has a mark for each level. A mark on its slope says that this level limits. Far below all slopes, "
     "something "
     "else does.\n"
     "Fewer bytes move a mark to the right. Less waiting moves it up.",
     "        ########/      ##/    ##/  ##/##", "A slope for the bandwidth, and the peak.", "roofline"},
    {"working", "How to work with it",
     "Open a matrix and look at its row lengths. Guess which kernel will be slow, and why, before you run it.\n"
     "Run it, and read what limits it. Diagnosis says it in a sentence, with the numbers, and what to try.\n"
     "Try it: the next run is compared with the one before. Was the prediction right?\n"
     "Solid marks are measured on a GPU. Hollow ones are modelled: the same kernel, run in an emulator, with a model "
     "of "
     "the caches and of time. Every number says which it is.",
     "", "", "diagnosis"},
};

}  // namespace

std::span<const Chapter> chapters() { return guide_chapters; }

}  // namespace warpspy
