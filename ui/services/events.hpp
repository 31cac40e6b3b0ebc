// What services tell each other, as data. An event reaches every service that has an on() for it, in the order in which
// the session lists them; an action reaches the one that handles it.
#pragma once

#include <string>

#include "core/jobs/jobs.hpp"
#include "ui/state/any_of.hpp"
#include "ui/state/matrices.hpp"

namespace warpspy::ui {

// The matrix that is shown was chosen: another one, or the same again.
struct MatrixShown {
  MatrixId before = 0, id = 0;
};
// It has been read. Then, when what was opened with it is settled too; fresh: it was opened by itself and by the user.
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
// It is about to leave the list.
struct MatrixClosing {
  MatrixId id = 0;
};
// One of several that were opened together is to be looked at, and has no run yet.
struct FirstRunDue {
  MatrixId id = 0;
};
// A file that was opened is that of a figure.
struct FigureOpened {
  std::string path;
};

using Event = AnyOf<MatrixShown, MatrixOpened, MatrixSettled, MatrixFailed, MatrixClosing, FirstRunDue, FigureOpened>;

}  // namespace warpspy::ui
