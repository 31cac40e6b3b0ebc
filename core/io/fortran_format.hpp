// Parses Fortran formats such as (26I3), (1P,4D20.13) or (1X,5(E15.8,1X)), which divide a line into fields.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpspy {

struct FortranField {
  std::size_t at = 0, width = 0;  // columns, from 0
  int decimals = 0;               // digits after a decimal point that is not written
  int scale = 0;                  // kP: a number without exponent is divided by 10^k
  bool integer = false;           // I, not E, D, F or G
};

// Returns the fields of the numbers in one line. Throws Error (reason and remedy, without a place) for anything else
// than I, E, D, F, G, P, X and groups.
std::vector<FortranField> parse_fortran_format(std::string_view text);

// Reads a number from a field as Fortran does: blanks inside are skipped, and the exponent's letter may be missing
// (1.5+102). A missing decimal point is assumed before the last `decimals` digits, and `implied` is set. Returns false
// if the text is no number or outside a double's range.
bool parse_fortran_real(std::string_view text, const FortranField& field, double& value, bool& implied);

}  // namespace warpspy
