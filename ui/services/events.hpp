// Events, by which services report to each other what happened. An event reaches every service that has an on() for it,
// in the order in which the session lists them; an action reaches the one that handles it.
#pragma once

#include <string>

#include "core/jobs/jobs.hpp"
#include "ui/state/any_of.hpp"
#include "ui/state/matrices.hpp"

namespace warpspy::ui {

// The user chose the matrix to show: another matrix, or the same again.
struct MatrixShown {
  MatrixId before = 0, id = 0;
};
// A matrix has been read, and everything that was opened with it is done too. fresh: the user opened this matrix alone.
struct MatrixOpened {
  MatrixId id = 0;
};
struct MatrixSettled {
  MatrixId id = 0;
  bool fresh = false;
};
struct MatrixFailed {
  MatrixId id = 0;
};
// A matrix is about to be removed from the list.
struct MatrixClosing {
  MatrixId id = 0;
};
// A matrix that was opened together with others is now shown for the first time, and has no run yet.
struct FirstRunDue {
  MatrixId id = 0;
};
// The user opened the file of a figure.
struct FigureOpened {
  std::string path;
};

using Event = AnyOf<MatrixShown, MatrixOpened, MatrixSettled, MatrixFailed, MatrixClosing, FirstRunDue, FigureOpened>;

}  // namespace warpspy::ui
