#include "core/catalog/terms.hpp"

#include <algorithm>
#include <cctype>

namespace warpspy {
namespace {

constexpr Term list[] = {
    {"warp", "warp,warps",
     "32 threads that a GPU runs together, one instruction for all of them. What one of them waits for, all wait for.",
     "################################"},
    {"lane", "lane,lanes",
     "One of the 32 threads of a warp. A lane without work in an instruction is idle: it takes its turn and does "
     "nothing.",
     "##########......................"},
    {"block", "block,blocks",
     "Warps that start together on one SM and can share memory there. The hardware deals blocks to SMs as they have "
     "room.",
     "######## ######## ########/######## ######## ########"},
    {"grid", "grid", "All blocks of a launch. A grid of fewer blocks than SMs leaves some of them without work.",
     "## ## ## ## .. .. .. .."},
    {"wave", "wave,waves",
     "The blocks that a GPU holds at a time. A last wave of few blocks leaves most SMs idle until the end.",
     "################/################/###............."},
    {"sm", "SM,SMs",
     "A streaming multiprocessor: the part of a GPU that runs warps, with an L1 cache of its own. A GPU has from a "
     "dozen to "
     "over a hundred.",
     "#### #### #### ####/#### #### #### ####"},
    {"sector", "sector,sectors", "32 bytes: the least that a cache fetches. A line of 128 bytes has four of them.",
     "######## oooooooo ........ ........"},
    {"request", "request,requests",
     "One load or store instruction of a warp, for all of its lanes. It touches 4 sectors where 32 lanes read "
     "neighbouring "
     "floats, and up to 32 where they do not.",
     "################################/#### #### #### ####"},
    {"coalescing", "coalesced,coalescing,uncoalesced",
     "Lanes side by side read bytes side by side, so that a request needs few sectors. Uncoalesced loads fetch a "
     "sector for "
     "each lane and use a few bytes of it.",
     "################ ................/#ooooooo#ooooooo#ooooooo#ooooooo"},
    {"gather", "gather,gathers",
     "A load whose addresses come from an index array, such as x[column]. The matrix decides whether neighbouring "
     "lanes "
     "find neighbouring bytes.",
     "#oo#ooo#oooo##ooo#ooo#oooo#ooo#o"},
    {"occupancy", "occupancy",
     "Warps that live on an SM, of the most that it can hold. More of them hide more waiting, until something else "
     "limits.",
     "#### #### #### #### .... .... .... ...."},
    {"divergence", "divergence,divergent",
     "Lanes of a warp go different ways at a branch, and the warp goes each way in turn. Meanwhile the lanes of the "
     "other "
     "way are idle.",
     "####......######....####......##/....######......####....######.."},
    {"latency", "latency",
     "The time from a load to its data: some hundred cycles from L2, more from DRAM. A GPU hides it by other warps and "
     "by "
     "several loads on their way at once.",
     "#xxxxxxxxxxx#/.#xxxxxxxxxxx#/..#xxxxxxxxxxx#"},
    {"tail", "tail",
     "The end of a launch, when some SMs still work and others have no block left. Uneven blocks make it longer.",
     "################/############..../#############.../##########......"},
    {"padding", "padding",
     "Slots that a format stores without an entry, to make rows equally long. They are loaded and multiplied like "
     "entries.",
     "#####.../########/###...../######.."},
    {"roof", "roof,roofs,roofline",
     "The speed that a level of memory or the arithmetic units allow at most. The roofline draws it against flops per "
     "byte.",
     "        ########/      ##/    ##/  ##/##"},
    {"bandwidth", "bandwidth",
     "Bytes per second that a level of memory can move. Of a matrix: how far entries lie from the diagonal.",
     "################################"},
    {"l1", "L1",
     "The cache of one SM, some 100 to 256 kB. It serves the loads of neighbouring rows that use the same parts of x.",
     "#### .... .... ...."},
    {"l2", "L2",
     "The cache that all SMs share, up to tens of MB. A product that fits finds its matrix there the next time.",
     "################"},
    {"dram", "DRAM",
     "The GPU's memory outside the chip: large, and the slowest level. A product that does not fit into L2 ends at its "
     "bandwidth; one that stays in L2 asks it for next to nothing.",
     "################################/################################"},
    {"atomic", "atomic,atomics",
     "An addition to memory that no other thread can come between. Atomics on one address take turns.",
     "#xxx/.#xx/..#x/...#"},
    {"csr", "CSR",
     "Compressed sparse rows: the entries row after row, each with its column, and where each row begins. No padding, "
     "but lanes that take a row each read bytes far apart.",
     "#####...########...#####......##/####.##"},
    {"coo", "COO",
     "Coordinates: each entry with its row and its column. Lanes share entries out evenly whatever the rows, and add "
     "their sums to y.",
     "################################/oooooooooooooooooooooooooooooooo/################################"},
    {"ell", "ELL,ELLPACK",
     "ELLPACK, named after a solver package: all rows as long as the longest, stored column by column, so that "
     "neighbouring lanes read neighbouring entries. "
     "One long row pads all others.",
     "####..../###...../########/##....../#####..."},
    {"sell", "SELL",
     "Sliced ELLPACK: ELL in slices of C rows, each as wide as its own longest row. Sorting rows by length within "
     "windows of sigma rows leaves little padding.",
     "########/#######./   /####/###./   /##/##"},
    {"hyb", "HYB",
     "Hybrid: the first K entries of each row in ELL, what longer rows have beyond in COO. K decides between padding "
     "and "
     "atomics.",
     "####  oooo/###./####  oo/##../####  oooooooo"},
    {"dia", "DIA",
     "Diagonals: they are stored whole, without any column number: an offset each says where they lie. Good for "
     "stencils, hopeless where "
     "entries are scattered.",
     "##....../.##...../#.##..../.#.##.../..#.##../...#.##."},
    {"launch", "launch,launches",
     "Starting a kernel, which takes about a microsecond. A product of few entries ends before that.", "xxxxxxxx###"},
    {"part", "part of a matrix,slowest part,fewer parts",
     "The rows that one of several GPUs has, with its share of x. Each GPU computes y of its own rows.",
     "################/################/................/................"},
    {"halo", "halo,halos",
     "The x of other parts that a part needs. It travels over the link while the GPU computes with its own x.",
     "....xx########xx...."},
    {"boundary_rows", "boundary rows,boundary row,boundary",
     "Rows of a part with entries in columns of other parts. They end when the halo has arrived; all others need none "
     "of it.",
     "##########/##########/##########xx/##########xxx"},
    {"link", "link,links",
     "What joins two GPUs, such as NVLink or PCI Express. A message takes its latency, and then its bytes over the "
     "bandwidth.",
     "########        ########/########xxxxxxxx########/########        ########"},
    {"speed_up", "speed-up,speed-ups",
     "The time on one GPU, divided by the time on several. On N GPUs N would be ideal, but waiting and messages take "
     "some of it.",
     "################/#####"},
    {"parallel_efficiency", "parallel efficiency",
     "The speed-up, divided by the number of GPUs. At 100 % each GPU adds as much speed as the first one has.",
     "####x####x####x####x"},
    {"imbalance", "imbalance",
     "The most entries of a part, divided by the mean of all parts. At 1 the parts are even; above that the other GPUs "
     "wait for the largest part.",
     "##########/######xxxx/#######xxx/#####xxxxx"},
    {"metis", "METIS",
     "A library that divides a graph into parts of about equal weight with few edges between them. Rows are the "
     "vertices, and fewer edges make a smaller halo.",
     "####..../#####.../...#####/....####"},
    {"pipelined_cg", "pipelined CG",
     "Conjugate gradients with its steps in another order, so that sums over all GPUs travel while the product runs. "
     "Plain CG waits for its sums twice in an iteration.",
     "##########/xxxxxx"},
};

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

// Finds whole words only. A word in lower case is also found with a capital at the start of a sentence.
bool holds_word(const std::string& text, const std::string& word) {
  const auto same = [](char a, char b) {
    return a == b || (b >= 'a' && b <= 'z' && std::tolower(static_cast<unsigned char>(a)) == b);
  };
  for (std::size_t at = 0; at + word.size() <= text.size(); ++at) {
    if ((at > 0 && is_letter(text[at - 1])) || (at + word.size() < text.size() && is_letter(text[at + word.size()])))
      continue;
    bool all = true;
    for (std::size_t k = 0; all && k < word.size(); ++k) all = same(text[at + k], word[k]);
    if (all) return true;
  }
  return false;
}

}  // namespace

std::span<const Term> terms() { return list; }

std::string title_of(const Term& t) {
  std::string name = t.words;
  name = name.substr(0, name.find(','));
  if (!name.empty() && name[0] >= 'a' && name[0] <= 'z') name[0] = static_cast<char>(name[0] - 'a' + 'A');
  return name;
}

const Term* term(const std::string& id) {
  for (const Term& t : list)
    if (id == t.id) return &t;
  return nullptr;
}

std::vector<const Term*> terms_in(const std::string& text) {
  std::vector<const Term*> found;
  for (const Term& t : list) {
    const std::string words = t.words;
    for (std::size_t from = 0; from < words.size();) {
      const auto comma = std::min(words.find(',', from), words.size());
      if (holds_word(text, words.substr(from, comma - from))) {
        found.push_back(&t);
        break;
      }
      from = comma + 1;
    }
  }
  return found;
}

}  // namespace warpspy
