/** A contract with a race, the same without it, and the scenario that shows it. */
export interface RacingContract {
  name: string;
  /** Tolk. */
  racing: string;
  /** Replaced in the source: the race, and its repair. */
  repair: readonly (readonly [race: string, repaired: string])[];
  /** The steps below `@concurrent`; the contract is Pot, and Wall refuses every message with a body. */
  steps: string;
}

/** Refuses everything but coins. */
export const wallSource = `
const ERROR_REFUSED = 600
fun onInternalMessage(in: InMessage) { assert (in.body.isEmpty()) throw ERROR_REFUSED; }
`;

/** Answers a question with its own number, which is always 5. */
export const oracleSource = `
struct (0x00000011) Ask { queryId: uint64 }
struct (0x00000012) Price { queryId: uint64; price: uint32 }
fun onInternalMessage(in: InMessage) {
  if (in.body.isEmpty()) { return; }
  val ask = Ask.fromSlice(in.body);
  val out = createMessage({ bounce: false, value: 0, dest: in.senderAddress, body: Price { queryId: ask.queryId, price: 5 } });
  out.send(SEND_MODE_CARRY_ALL_REMAINING_MESSAGE_VALUE);
}
`;

const askOracle = `val out = createMessage({ bounce: true, value: 0, dest: msg.oracle, body: Ask { queryId: 0 } });
      out.send(SEND_MODE_CARRY_ALL_REMAINING_MESSAGE_VALUE);`;

/** Each of these holds in the order of the sheet, and breaks in another. */
export const racingContracts: readonly RacingContract[] = [
  {
    name: 'a bounce overwrites a deposit',
    racing: `
struct Storage { total: uint64; kept: uint64 }
struct (0x00000001) Deposit { amount: uint64 }
struct (0x00000002) Pay { amount: uint64; to: address }
struct (0x00000003) Paid { amount: uint64 }
type Message = Deposit | Pay
fun onInternalMessage(in: InMessage) {
  if (in.body.isEmpty()) { return; }
  val msg = lazy Message.fromSlice(in.body);
  var s = Storage.fromCell(contract.getData());
  match (msg) {
    Deposit => { s.total += msg.amount; }
    Pay => {
      s.kept = s.total;
      s.total -= msg.amount;
      val out = createMessage({ bounce: BounceMode.Only256BitsOfBody, value: ton("0.05"), dest: msg.to, body: Paid { amount: msg.amount } });
      out.send(SEND_MODE_REGULAR);
    }
  }
  contract.setData(s.toCell());
}
fun onBouncedMessage(in: InMessageBounced) {
  in.bouncedBody.skipBouncedPrefix();
  val paid = Paid.fromSlice(in.bouncedBody);
  var s = Storage.fromCell(contract.getData());
  s.total = s.kept;
  contract.setData(s.toCell());
}
get fun total(): int { return Storage.fromCell(contract.getData()).total; }
`,
    repair: [['s.total = s.kept;', 's.total += paid.amount;']],
    steps: `deploy wall.tolk as Wall
deploy POT {total: 10, kept: 0} as Pot
send Pot Pay {amount: 4, to: Wall} 0.2ton from alice
send Pot Deposit {amount: 7} 0.1ton from bob
expect Pot total() == 17`,
  },
  {
    name: 'whoever comes first becomes the owner',
    racing: `
struct Storage { owner: address; creator: address; isSet: bool }
struct (0x00000001) Init { owner: address }
fun onInternalMessage(in: InMessage) {
  if (in.body.isEmpty()) { return; }
  val msg = Init.fromSlice(in.body);
  var s = Storage.fromCell(contract.getData());
  if (s.isSet) { return; }
  s.owner = msg.owner;
  s.isSet = true;
  contract.setData(s.toCell());
}
get fun owner(): address { return Storage.fromCell(contract.getData()).owner; }
`,
    repair: [['if (s.isSet) {', 'if (s.isSet | (in.senderAddress != s.creator)) {']],
    steps: `deploy POT {owner: alice, creator: alice, isSet: false} as Pot
send Pot Init {owner: alice} 0.1ton from alice
send Pot Init {owner: bob} 0.1ton from bob
expect Pot owner() == alice`,
  },
  {
    name: 'an answer is credited to whoever asked last',
    racing: `
struct Storage { pending: address; alice: address; credits: uint32; lost: uint32 }
struct (0x00000001) Buy { oracle: address }
struct (0x00000011) Ask { queryId: uint64 }
struct (0x00000012) Price { queryId: uint64; price: uint32 }
type Message = Buy | Price
fun onInternalMessage(in: InMessage) {
  if (in.body.isEmpty()) { return; }
  val msg = lazy Message.fromSlice(in.body);
  var s = Storage.fromCell(contract.getData());
  match (msg) {
    Buy => {
      val id = in.senderAddress == s.alice ? 1 : 2;
      s.pending = in.senderAddress;
      val out = createMessage({ bounce: true, value: 0, dest: msg.oracle, body: Ask { queryId: id } });
      out.send(SEND_MODE_CARRY_ALL_REMAINING_MESSAGE_VALUE);
    }
    Price => {
      if (s.pending == s.alice) { s.credits += msg.price; } else { s.lost += msg.price; }
    }
  }
  contract.setData(s.toCell());
}
get fun credits(): int { return Storage.fromCell(contract.getData()).credits; }
`,
    repair: [['if (s.pending == s.alice)', 'if (msg.queryId == 1)']],
    steps: `deploy oracle.tolk as Oracle
deploy POT {pending: alice, alice: alice, credits: 0, lost: 0} as Pot
send Pot Buy {oracle: Oracle} 0.2ton from alice
send Pot Buy {oracle: Oracle} 0.2ton from bob
expect Pot credits() == 5`,
  },
  {
    name: 'two withdrawals pass the same check',
    racing: `
const ERROR_EMPTY = 501
struct Storage { total: uint32 }
struct (0x00000001) Take { oracle: address }
struct (0x00000011) Ask { queryId: uint64 }
struct (0x00000012) Price { queryId: uint64; price: uint32 }
type Message = Take | Price
fun onInternalMessage(in: InMessage) {
  if (in.body.isEmpty()) { return; }
  val msg = lazy Message.fromSlice(in.body);
  var s = Storage.fromCell(contract.getData());
  match (msg) {
    Take => {
      assert (s.total >= 5) throw ERROR_EMPTY;
      ${askOracle}
    }
    Price => { s.total -= msg.price; }
  }
  contract.setData(s.toCell());
}
get fun total(): int { return Storage.fromCell(contract.getData()).total; }
`,
    repair: [
      ['throw ERROR_EMPTY;', 'throw ERROR_EMPTY; s.total -= 5;'],
      ['s.total -= msg.price;', 's.total -= 0;'],
    ],
    steps: `deploy oracle.tolk as Oracle
deploy POT {total: 7} as Pot
send Pot Take {oracle: Oracle} 0.2ton from alice
send Pot Take {oracle: Oracle} 0.2ton from bob
expect Pot total() == 2`,
  },
  {
    name: 'a total is written from an old copy',
    racing: `
struct Storage { total: uint32; copy: uint32 }
struct (0x00000001) Add { amount: uint32 }
struct (0x00000002) Grow { oracle: address }
struct (0x00000011) Ask { queryId: uint64 }
struct (0x00000012) Price { queryId: uint64; price: uint32 }
type Message = Add | Grow | Price
fun onInternalMessage(in: InMessage) {
  if (in.body.isEmpty()) { return; }
  val msg = lazy Message.fromSlice(in.body);
  var s = Storage.fromCell(contract.getData());
  match (msg) {
    Add => { s.total += msg.amount; }
    Grow => {
      s.copy = s.total;
      ${askOracle}
    }
    Price => { s.total = s.copy + msg.price; }
  }
  contract.setData(s.toCell());
}
get fun total(): int { return Storage.fromCell(contract.getData()).total; }
`,
    repair: [['s.total = s.copy + msg.price;', 's.total += msg.price;']],
    steps: `deploy oracle.tolk as Oracle
deploy POT {total: 1, copy: 0} as Pot
send Pot Grow {oracle: Oracle} 0.2ton from alice
send Pot Add {amount: 3} 0.1ton from bob
expect Pot total() == 9`,
  },
];

/** The source without its race. */
export function repaired({ racing, repair }: RacingContract): string {
  return repair.reduce((text, [race, mended]) => text.replace(race, mended), racing);
}

/** A sheet's scenario. @param index of the contract, whose source is `pot0.tolk` */
export function racingScenario({ name, steps }: RacingContract, index: number): string {
  return `### ${name}\n@concurrent\n${steps.replace('POT', `pot${index}.tolk`)}\n`;
}
