/** Sources with a get-method `walk`: loops, functions that are inlined or not, globals, structs, an exception. */
export const walks = {
  tolk: `
struct Span { low: int, high: int }
struct Alone { count: int }
struct Wrapped { inner: Span, text: string }

global total: int
global span: Span
global wrapped: Wrapped
global last: int?
global alone: Alone

@noinline
fun half(value: int): int {
    total += value;
    if (value < 2) { return 0; }
    return value / 2;
}
fun widen(by: int) {
    span.high += by;
}
fun onInternalMessage(in: InMessage) {}
get fun walk(start: int): int {
    total = 0;
    span = { low: start, high: start };
    wrapped = { inner: span, text: "abc" };
    last = null;
    alone = { count: 5 };
    var left = start;
    var here: Span = { low: 0, high: left };
    while (left > 0) {
        left = half(left);
        widen(left % 2);
        here.low += 1;
        repeat (2) { here.high -= 1; }
    }
    try {
        assert (here.low < 3) throw 77;
    } catch (code) {
        last = code;
    }
    contract.setData(beginCell().storeUint(total, 64).endCell());
    wrapped.inner.low = here.high;
    return total + span.high;
}
`,
  func: `
global int total;
global (int, int) span;
global cell kept;

() set_data(cell c) impure asm "c4 POP";
builder begin_cell() asm "NEWC";
cell end_cell(builder b) asm "ENDC";

int half(int value) impure {
  total += value;
  return value / 2;
}
() widen(int by) impure inline {
  var (low, high) = span;
  span = (low, high + by);
}
() recv_internal(int balance, int value, cell message, slice body) impure {
}
int walk(int start) method_id {
  total = 0;
  span = (start, start);
  int left = start;
  while (left > 0) {
    left = half(left);
    widen(left % 2);
  }
  kept = begin_cell().store_uint(total, 64).end_cell();
  set_data(kept);
  return total;
}
`,
};
