/** A counter in each language: the same storage, messages, exit codes, and get-methods. */
export const counterSources = {
  tolk: `// A counter: anyone may increase it, and its owner may set it.

const ERROR_NOT_OWNER = 401
const ERROR_UNKNOWN_MESSAGE = 0xFFFF

struct Storage {
    owner: address
    count: uint32
}

/// Adds to the counter.
struct (0x7e8764ef) Increase {
    queryId: uint64 = 0
    by: uint32
}

/// Sets the counter; only its owner may send it.
struct (0x3a752f06) Reset {
    queryId: uint64 = 0
    count: uint32
}

type CounterMessage = Increase | Reset

fun onInternalMessage(in: InMessage) {
    // Plain coins, also those that deploy it.
    if (in.body.isEmpty()) {
        return;
    }
    var storage = Storage.fromCell(contract.getData());
    val message = lazy CounterMessage.fromSlice(in.body);
    match (message) {
        Increase => {
            storage.count += message.by;
        }
        Reset => {
            assert (in.senderAddress == storage.owner) throw ERROR_NOT_OWNER;
            storage.count = message.count;
        }
        else => throw ERROR_UNKNOWN_MESSAGE
    }
    contract.setData(storage.toCell());
}

get fun currentCount(): int {
    return Storage.fromCell(contract.getData()).count;
}

get fun owner(): address {
    return Storage.fromCell(contract.getData()).owner;
}
`,
  func: `;; A counter: anyone may increase it, and its owner may set it.
;; The TL-B comments name its storage and messages.

;; storage#_ owner:MsgAddress count:uint32 = Storage;
;; increase#7e8764ef query_id:uint64 by:uint32 = InternalMsgBody;
;; reset#3a752f06 query_id:uint64 count:uint32 = InternalMsgBody;

const int error::not_owner = 401;
const int error::unknown_message = 0xffff;

;; What the counter needs of FunC's standard library.
cell get_data() asm "c4 PUSH";
() set_data(cell c) impure asm "c4 POP";
slice begin_parse(cell c) asm "CTOS";
builder begin_cell() asm "NEWC";
cell end_cell(builder b) asm "ENDC";
builder store_slice(builder b, slice s) asm "STSLICER";
(slice, slice) load_msg_addr(slice s) asm( -> 1 0) "LDMSGADDR";
int slice_empty?(slice s) asm "SEMPTY";
int equal_slice_bits(slice a, slice b) asm "SDEQ";

(slice, int) load_storage() inline {
  slice ds = get_data().begin_parse();
  return (ds~load_msg_addr(), ds~load_uint(32));
}

() save_storage(slice owner, int count) impure inline {
  set_data(begin_cell().store_slice(owner).store_uint(count, 32).end_cell());
}

() recv_internal(int balance, int value, cell in_msg_full, slice in_msg_body) impure {
  ;; Plain coins, also those that deploy it, and messages that came back.
  if (in_msg_body.slice_empty?()) {
    return ();
  }
  slice cs = in_msg_full.begin_parse();
  int flags = cs~load_uint(4);
  if (flags & 1) {
    return ();
  }
  slice sender = cs~load_msg_addr();
  (slice owner, int count) = load_storage();
  int op = in_msg_body~load_uint(32);
  int query_id = in_msg_body~load_uint(64);
  if (op == 0x7e8764ef) {
    save_storage(owner, count + in_msg_body~load_uint(32));
    return ();
  }
  if (op == 0x3a752f06) {
    throw_unless(error::not_owner, equal_slice_bits(sender, owner));
    save_storage(owner, in_msg_body~load_uint(32));
    return ();
  }
  throw(error::unknown_message);
}

int currentCount() method_id {
  (_, int count) = load_storage();
  return count;
}

slice owner() method_id {
  (slice owner, _) = load_storage();
  return owner;
}
`,
  tact: `// A counter: anyone may increase it, and its owner may set it.

const ERROR_NOT_OWNER: Int = 401;

/// Adds to the counter.
message(0x7e8764ef) Increase {
    queryId: Int as uint64;
    by: Int as uint32;
}

/// Sets the counter; only its owner may send it.
message(0x3a752f06) Reset {
    queryId: Int as uint64;
    count: Int as uint32;
}

contract Counter {
    owner: Address;
    count: Int as uint32;

    init(owner: Address, count: Int) {
        self.owner = owner;
        self.count = count;
    }

    // Plain coins, also those that deploy it.
    receive() {}

    receive(message: Increase) {
        self.count += message.by;
    }

    receive(message: Reset) {
        throwUnless(ERROR_NOT_OWNER, sender() == self.owner);
        self.count = message.count;
    }

    get fun currentCount(): Int {
        return self.count;
    }

    get fun owner(): Address {
        return self.owner;
    }
}
`,
} as const;
