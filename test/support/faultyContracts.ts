/** A contract with a fault that random messages find, the same without it, and the sheet that deploys it. */
export interface FaultyContract {
  name: string;
  /** The end of its file's name. */
  language: 'tolk' | 'fc' | 'tact';
  faulty: string;
  /** Replaced in the source: the fault, and its repair. */
  repair: readonly (readonly [fault: string, repaired: string])[];
  /** What is deployed from FILE, and what must hold. */
  sheet: string;
  /** How the fault shows. */
  fault: { kind: 'exit'; code: number; phase: string } | { kind: 'expect' };
  /** The shortest lines that lead to it. */
  lines: readonly RegExp[];
}

/** Five faults. */
export const faultyContracts: readonly FaultyContract[] = [
  {
    name: 'a stock goes below zero',
    language: 'tolk',
    faulty: `
const ERROR_TOO_FEW = 701
struct Storage { left: uint16 }
struct (0x00000001) Fill { by: uint8 }
struct (0x00000002) Take { by: uint8 }
type Message = Fill | Take
fun onInternalMessage(in: InMessage) {
  if (in.body.isEmpty()) { return; }
  val msg = lazy Message.fromSlice(in.body);
  var s = Storage.fromCell(contract.getData());
  match (msg) {
    Fill => { if (s.left < 60000) { s.left += msg.by; } }
    Take => { s.left -= msg.by; }
  }
  contract.setData(s.toCell());
}
get fun left(): int { return Storage.fromCell(contract.getData()).left; }
`,
    repair: [['Take => {', 'Take => { assert (s.left >= msg.by) throw ERROR_TOO_FEW;']],
    sheet: 'deploy FILE {left: 0} as Stock',
    fault: { kind: 'exit', code: 5, phase: 'compute' },
    lines: [/^send Stock Take \{by: 1\} 0\.1ton from alice$/],
  },
  {
    name: 'one takes out what another has paid in',
    language: 'tolk',
    faulty: `
const ERROR_TOO_MUCH = 702
struct Storage { total: int64; paid: map<address, uint32> }
struct (0x00000001) PayIn { amount: uint32 }
struct (0x00000002) TakeOut { amount: uint32 }
type Message = PayIn | TakeOut
fun onInternalMessage(in: InMessage) {
  if (in.body.isEmpty()) { return; }
  val msg = lazy Message.fromSlice(in.body);
  var s = Storage.fromCell(contract.getData());
  val found = s.paid.get(in.senderAddress);
  val own: int = found.isFound ? found.loadValue() as int : 0;
  match (msg) {
    PayIn => {
      assert (own + msg.amount < 4000000000) throw ERROR_TOO_MUCH;
      s.paid.set(in.senderAddress, (own + msg.amount) as uint32);
      s.total += msg.amount;
    }
    TakeOut => {
      assert (msg.amount <= s.total) throw ERROR_TOO_MUCH;
      s.paid.set(in.senderAddress, max(0, own - msg.amount) as uint32);
      s.total -= msg.amount;
    }
  }
  contract.setData(s.toCell());
}
get fun isSolvent(): bool {
  val s = Storage.fromCell(contract.getData());
  var owed = 0;
  var entry = s.paid.findFirst();
  while (entry.isFound) {
    owed += entry.loadValue();
    entry = s.paid.iterateNext(entry);
  }
  return owed <= s.total;
}
`,
    repair: [['msg.amount <= s.total', 'msg.amount <= own']],
    sheet: 'deploy FILE {total: 0, paid: {}} as Bank\nexpect Bank isSolvent() == true',
    fault: { kind: 'expect' },
    lines: [/^send Bank PayIn .* from /, /^send Bank TakeOut .* from /],
  },
  {
    name: 'anyone becomes the owner',
    language: 'fc',
    faulty: `
slice begin_parse(cell c) asm "CTOS";
int slice_empty?(slice s) asm "SEMPTY";
(slice, ()) ~skip_bits(slice s, int len) asm "SDSKIPFIRST";
(slice, slice) load_msg_addr(slice s) asm( -> 1 0) "LDMSGADDR";
int equal_slices_bits(slice a, slice b) asm "SDEQ";
cell get_data() asm "c4 PUSH";
() set_data(cell c) impure asm "c4 POP";
builder begin_cell() asm "NEWC";
cell end_cell(builder b) asm "ENDC";
builder store_slice(builder b, slice s) asm "STSLICER";
;; give#00000001 to:MsgAddressInt = InternalMsgBody;
;; nothing#00000002 query_id:uint64 = InternalMsgBody;
const int error::not_owner = 703;
() recv_internal(int balance, int value, cell full, slice body) impure {
  if (body.slice_empty?()) { return (); }
  slice head = full.begin_parse();
  head~skip_bits(4);
  slice sender = head~load_msg_addr();
  slice owner = get_data().begin_parse();
  int op = body~load_uint(32);
  if (op == 1) {
    slice to = body~load_msg_addr();
    set_data(begin_cell().store_slice(to).end_cell());
    return ();
  }
  if (op == 2) { return (); }
  throw(error::not_owner);
}
slice owner() method_id { return get_data().begin_parse(); }
`,
    repair: [['slice to =', 'throw_unless(error::not_owner, equal_slices_bits(sender, owner)); slice to =']],
    sheet: 'deploy FILE b(addr dave) as Lock\nexpect Lock owner() == addr dave',
    fault: { kind: 'expect' },
    lines: [/^send Lock give \{to: (?:none|alice)\} 0\.1ton from alice$/],
  },
  {
    name: 'a share of nothing is asked for',
    language: 'tact',
    faulty: `
message(0x00000001) Join { weight: Int as uint8; }
contract Shares {
  weight: Int as uint64 = 0;
  receive() {}
  receive(msg: Join) { self.weight += msg.weight; }
  get fun shareOf(weight: Int): Int {
    require(weight >= 0 && weight < 1000, "Not a weight");
    return weight * 100 / self.weight;
  }
}
`,
    repair: [['return weight', 'require(self.weight > 0, "Too few"); return weight']],
    sheet: 'deploy FILE {} as Shares',
    fault: { kind: 'exit', code: 4, phase: 'get-method' },
    lines: [/^Shares shareOf\(0\)$/],
  },
  {
    name: 'a limit is off by one',
    language: 'tolk',
    faulty: `
const LIMIT = 86400
const ERROR_OVER_LIMIT = 705
struct Storage { longest: uint32 }
struct (0x00000001) Rent { seconds: uint32; note: cell?; for: address }
fun onInternalMessage(in: InMessage) {
  if (in.body.isEmpty()) { return; }
  val msg = Rent.fromSlice(in.body);
  var s = Storage.fromCell(contract.getData());
  assert (msg.seconds <= LIMIT + 1) throw ERROR_OVER_LIMIT;
  s.longest = max(s.longest, msg.seconds);
  contract.setData(s.toCell());
}
get fun longest(): int { return Storage.fromCell(contract.getData()).longest; }
`,
    repair: [['LIMIT + 1', 'LIMIT']],
    sheet: 'deploy FILE {longest: 0} as Room\nexpect Room longest() <= 86400',
    fault: { kind: 'expect' },
    lines: [/^send Room Rent \{seconds: 86401, note: null, for: alice\} 0\.1ton from alice$/],
  },
];

/** The source without its fault. */
export function mended({ faulty, repair }: FaultyContract): string {
  return repair.reduce((text, [fault, repaired]) => text.replace(fault, repaired), faulty);
}
