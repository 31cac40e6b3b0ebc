#include "standard_headers.hpp"

#include <map>
#include <sstream>

namespace warpspy::arch {
namespace {

struct Row {
  const char* header;
  const char* names;
};

constexpr Row rows[] = {
    {"algorithm",
     "adjacent_find all_of any_of binary_search clamp copy copy_backward copy_if copy_n count count_if equal "
     "equal_range fill fill_n "
     "find find_if "
     "find_if_not for_each generate includes is_sorted lexicographical_compare lower_bound max max_element merge min "
     "min_element "
     "minmax minmax_element mismatch next_permutation none_of nth_element partial_sort partition remove remove_if "
     "replace replace_if reverse rotate search "
     "set_difference set_intersection set_union shuffle sort stable_partition stable_sort swap_ranges transform unique "
     "upper_bound"},
    {"any", "any any_cast make_any"},
    {"array", "array tuple_element_t tuple_size_v get"},
    {"atomic",
     "atomic atomic_bool atomic_flag atomic_ref memory_order_acq_rel memory_order_acquire memory_order_relaxed "
     "memory_order_release memory_order_seq_cst"},
    {"barrier", "barrier"},
    {"bit",
     "bit_cast bit_ceil bit_floor bit_width countl_one countl_zero countr_one countr_zero endian has_single_bit "
     "popcount rotl rotr"},
    {"cctype", "isalnum isalpha isdigit isprint isspace isupper isxdigit tolower toupper"},
    {"cerrno", "errno"},
    {"cfloat", "DBL_MAX FLT_MAX"},
    {"charconv", "chars_format from_chars from_chars_result to_chars to_chars_result"},
    {"chrono", "chrono chrono_literals"},
    {"cinttypes", "imaxabs"},
    {"clocale", "setlocale localeconv"},
    {"cmath",
     "abs atan atan2 cbrt ceil copysign cos erf exp exp2 expm1 fabs floor fma fmax fmin fmod frexp hypot ilogb "
     "isfinite isinf "
     "isnan isnormal ldexp lerp llround log log10 log1p log2 logb lround modf nan nearbyint nextafter pow remainder "
     "rint "
     "round scalbn signbit sin sqrt tan tanh trunc"},
    {"compare", "partial_ordering strong_ordering weak_ordering"},
    {"complex", "complex"},
    {"concepts",
     "convertible_to default_initializable derived_from equality_comparable floating_point integral invocable same_as"},
    {"condition_variable", "condition_variable condition_variable_any cv_status"},
    {"coroutine", "coroutine_handle noop_coroutine suspend_always"},
    {"csignal", "raise sig_atomic_t signal"},
    {"cstddef", "byte"},
    {"cstdint",
     "int16_t int32_t int64_t int8_t intmax_t intptr_t uint16_t uint32_t uint64_t uint8_t uintmax_t uintptr_t"},
    {"cstdio",
     "FILE fclose feof ferror fflush fgets fopen fprintf fputc fputs fread fscanf fseek ftell fwrite getc perror "
     "printf putchar "
     "puts remove rename rewind setvbuf snprintf sscanf tmpfile vsnprintf"},
    {"cstdlib",
     "_Exit abort abs atexit atof atoi atol atoll calloc exit free getenv llabs malloc qsort quick_exit realloc strtod "
     "strtof "
     "strtol strtold strtoll strtoul strtoull system"},
    {"cstring", "memchr memcmp memcpy memmove memset strchr strcmp strcpy strerror strlen strncmp strrchr strstr"},
    {"ctime", "clock ctime gmtime localtime mktime strftime time time_t tm"},
    {"deque", "deque"},
    {"exception",
     "current_exception exception exception_ptr make_exception_ptr nested_exception rethrow_exception set_terminate "
     "terminate terminate_handler uncaught_exceptions"},
    {"filesystem", "filesystem"},
    {"forward_list", "forward_list"},
    {"fstream", "filebuf fstream ifstream ofstream"},
    {"functional",
     "bit_and bit_or cref equal_to function greater greater_equal hash invoke less minus multiplies not_fn plus "
     "reference_wrapper "
     "ref"},
    {"future", "async future launch packaged_task promise"},
    {"initializer_list", "initializer_list"},
    {"iomanip", "hex setfill setprecision setw"},
    {"ios", "ios ios_base streamoff streampos streamsize"},
    {"iostream", "cerr cin clog cout"},
    {"istream", "getline istream ws"},
    {"iterator",
     "advance back_insert_iterator back_inserter distance forward_iterator_tag input_iterator_tag inserter "
     "istreambuf_iterator iterator_traits make_move_iterator next ostreambuf_iterator prev random_access_iterator_tag "
     "reverse_iterator"},
    {"latch", "latch"},
    {"limits", "numeric_limits"},
    {"list", "list"},
    {"locale", "locale"},
    {"map", "map multimap"},
    {"memory",
     "addressof align allocator allocator_arg allocator_arg_t allocator_traits assume_aligned construct_at "
     "default_delete "
     "destroy_at dynamic_pointer_cast enable_shared_from_this make_shared make_unique make_unique_for_overwrite "
     "shared_ptr "
     "static_pointer_cast unique_ptr uninitialized_copy uninitialized_fill weak_ptr"},
    {"memory_resource", "pmr"},
    {"mutex",
     "adopt_lock call_once defer_lock lock_guard mutex once_flag recursive_mutex scoped_lock timed_mutex try_to_lock "
     "unique_lock"},
    {"new",
     "align_val_t bad_alloc bad_array_new_length get_new_handler hardware_destructive_interference_size launder "
     "nothrow nothrow_t set_new_handler"},
    {"numbers", "numbers"},
    {"numeric",
     "accumulate exclusive_scan gcd inclusive_scan inner_product iota lcm midpoint partial_sum reduce "
     "transform_reduce"},
    {"optional", "nullopt nullopt_t optional"},
    {"ostream", "endl flush ostream"},
    {"queue", "priority_queue queue"},
    {"random",
     "bernoulli_distribution discrete_distribution minstd_rand mt19937 mt19937_64 normal_distribution random_device "
     "seed_seq "
     "uniform_int_distribution uniform_real_distribution"},
    {"ranges", "views"},
    {"ratio", "giga kilo mega micro milli nano ratio"},
    {"regex", "regex regex_match regex_replace regex_search smatch sregex_iterator"},
    {"semaphore", "binary_semaphore counting_semaphore"},
    {"set", "multiset set"},
    {"shared_mutex", "shared_lock shared_mutex"},
    {"source_location", "source_location"},
    {"span", "as_bytes as_writable_bytes dynamic_extent span"},
    {"sstream", "istringstream ostringstream stringstream"},
    {"stack", "stack"},
    {"stdexcept",
     "domain_error invalid_argument length_error logic_error out_of_range overflow_error range_error runtime_error"},
    {"stop_token", "stop_callback stop_source stop_token"},
    {"streambuf", "streambuf"},
    {"string",
     "basic_string u32string char_traits getline stod stof stoi stol stold stoll stoul stoull string string_literals "
     "to_string "
     "u8string"},
    {"string_view", "basic_string_view string_view string_view_literals"},
    {"syncstream", "osyncstream"},
    {"system_error", "errc error_code error_condition generic_category make_error_code system_category system_error"},
    {"thread", "jthread this_thread thread"},
    {"tuple",
     "apply forward_as_tuple get ignore make_from_tuple make_tuple tie tuple tuple_cat tuple_element_t tuple_size_v"},
    {"type_traits",
     "add_const_t bool_constant common_type_t conditional_t conjunction_v decay_t enable_if_t extent_v false_type "
     "integral_constant "
     "invoke_result_t is_aggregate_v is_arithmetic_v is_array_v is_base_of_v is_class_v is_const_v "
     "is_constant_evaluated "
     "is_constructible_v is_convertible_v is_default_constructible_v is_empty_v is_enum_v is_floating_point_v "
     "is_function_v "
     "is_integral_v is_invocable_r_v is_invocable_v is_lvalue_reference_v is_nothrow_move_constructible_v "
     "is_null_pointer_v "
     "is_pointer_v "
     "is_reference_v is_same_v is_signed_v is_standard_layout_v is_trivial_v is_trivially_copyable_v is_unsigned_v "
     "is_void_v "
     "make_signed_t make_unsigned_t remove_const_t remove_cv_t remove_cvref_t remove_pointer_t remove_reference_t "
     "true_type "
     "type_identity_t underlying_type_t void_t"},
    {"typeindex", "type_index"},
    {"typeinfo", "type_info"},
    {"unordered_map", "unordered_map unordered_multimap"},
    {"unordered_set", "unordered_multiset unordered_set"},
    {"utility",
     "as_const cmp_equal cmp_greater cmp_greater_equal cmp_less cmp_less_equal declval get in_place in_range "
     "index_sequence "
     "index_sequence_for integer_sequence make_index_sequence make_integer_sequence make_pair piecewise_construct "
     "tuple_element_t tuple_size_v"},
    {"valarray", "valarray"},
    {"variant",
     "bad_variant_access get get_if holds_alternative monostate variant variant_alternative_t variant_size_v visit"},
    {"vector", "vector"},
    {"version", "version"},
};

std::set<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  std::set<std::string> words;
  for (std::string word; in >> word;) words.insert(word);
  return words;
}

// [iterator.range] and [container erasure]: these come with every container.
const std::string containers =
    "array deque forward_list list map regex set span string string_view unordered_map unordered_set vector";
const std::string with_containers =
    "begin cbegin cend crbegin crend data empty end erase erase_if rbegin rend size ssize";

std::map<std::string, std::set<std::string>> by_name() {
  std::map<std::string, std::set<std::string>> table;
  for (const Row& row : rows)
    for (const auto& name : words_of(row.names)) table[name].insert(row.header);
  for (const auto& name : words_of(with_containers)) {
    table[name] = words_of(containers);
    table[name].insert("iterator");
  }
  return table;
}

std::map<std::string, std::set<std::string>> all_that_is_brought() {
  std::map<std::string, std::set<std::string>> table = {
      {"charconv", {"system_error"}},
      {"chrono", {"compare", "ratio"}},
      {"filesystem", {"system_error"}},
      {"fstream", {"ios", "istream", "ostream", "streambuf"}},
      {"iostream", {"ios", "istream", "ostream", "streambuf"}},
      {"istream", {"ios", "ostream"}},
      {"ostream", {"ios"}},
      {"sstream", {"ios", "istream", "ostream", "streambuf"}},
      {"stdexcept", {"exception"}},
      {"system_error", {"stdexcept"}},
      {"thread", {"stop_token"}},
  };
  for (const auto& container : words_of(containers)) table[container].insert("initializer_list");
  return table;
}

}  // namespace

const std::set<std::string>& headers_of(const std::string& name) {
  static const auto table = by_name();
  static const std::set<std::string> none;
  const auto at = table.find(name);
  return at == table.end() ? none : at->second;
}

bool comes_with_every_header(const std::string& name) {
  static const auto names = words_of("forward max_align_t move exchange nullptr_t pair ptrdiff_t size_t swap");
  return names.count(name) > 0;
}

const std::set<std::string>& brought_by(const std::string& header) {
  static const auto table = all_that_is_brought();
  static const std::set<std::string> nothing;
  const auto at = table.find(header);
  return at == table.end() ? nothing : at->second;
}

}  // namespace warpspy::arch
