// Drags files onto a window and lets go there, as a file manager does (XDND, version 5). Needs an X display.
//   drop_files WINDOW PATH...      WINDOW: its X id, decimal
// Exit code 1 when the window does not take them within ten seconds.
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <poll.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

struct Drag {
  Display* display;
  Window from, onto;
  std::string uris;  // text/uri-list

  Atom atom(const char* name) const { return XInternAtom(display, name, False); }

  void tell(const char* what, long a = 0, long b = 0, long c = 0, long d = 0) const {
    XEvent e = {};
    e.xclient.type = ClientMessage;
    e.xclient.display = display;
    e.xclient.window = onto;
    e.xclient.message_type = atom(what);
    e.xclient.format = 32;
    const long data[] = {static_cast<long>(from), a, b, c, d};
    for (int k = 0; k < 5; ++k) e.xclient.data.l[k] = data[k];
    XSendEvent(display, onto, False, NoEventMask, &e);
    XFlush(display);
  }

  // What the files are, to who asks for it.
  void answer(const XSelectionRequestEvent& asked) const {
    XChangeProperty(display, asked.requestor, asked.property, asked.target, 8, PropModeReplace,
                    reinterpret_cast<const unsigned char*>(uris.data()), static_cast<int>(uris.size()));
    XEvent e = {};
    e.xselection.type = SelectionNotify;
    e.xselection.display = display;
    e.xselection.requestor = asked.requestor;
    e.xselection.selection = asked.selection;
    e.xselection.target = asked.target;
    e.xselection.property = asked.property;
    e.xselection.time = asked.time;
    XSendEvent(display, asked.requestor, False, NoEventMask, &e);
    XFlush(display);
  }

  // Until the window has sent this message; false when it takes too long, or refuses.
  bool told(const char* what) const {
    for (int k = 0; k < 1000; ++k) {
      while (XPending(display) > 0) {
        XEvent e;
        XNextEvent(display, &e);
        if (e.type == SelectionRequest) answer(e.xselectionrequest);
        if (e.type == ClientMessage && e.xclient.message_type == atom(what)) return (e.xclient.data.l[1] & 1) != 0;
      }
      pollfd ready = {ConnectionNumber(display), POLLIN, 0};
      poll(&ready, 1, 10);
    }
    return false;
  }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return std::fprintf(stderr, "usage: drop_files WINDOW PATH...\n"), 2;
  Display* display = XOpenDisplay(nullptr);
  if (!display) return std::fprintf(stderr, "no display\n"), 1;
  const Window root = DefaultRootWindow(display);
  Drag d{display, XCreateSimpleWindow(display, root, 0, 0, 1, 1, 0, 0, 0), std::strtoul(argv[1], nullptr, 10), {}};
  for (int k = 2; k < argc; ++k) d.uris += std::string("file://") + argv[k] + "\r\n";
  XSetSelectionOwner(display, d.atom("XdndSelection"), d.from, CurrentTime);

  constexpr long version = 5L << 24, at = (640L << 16) | 400L;
  d.tell("XdndEnter", version, static_cast<long>(d.atom("text/uri-list")));
  d.tell("XdndPosition", 0, at, CurrentTime, static_cast<long>(d.atom("XdndActionCopy")));
  if (!d.told("XdndStatus")) return std::fprintf(stderr, "the window does not take files\n"), 1;
  d.tell("XdndDrop", 0, CurrentTime);
  if (!d.told("XdndFinished")) return std::fprintf(stderr, "the window did not take the files\n"), 1;
  XCloseDisplay(display);
  return 0;
}
