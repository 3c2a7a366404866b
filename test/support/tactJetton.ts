/** What all minters in Tact share: wallets, their address, and what tells about the jetton. */
const shared = `
message(0x178d4519) InternalTransfer {
  queryId: Int as uint64; amount: Int as coins; sender: Address; responseDestination: Address?;
  forwardTonAmount: Int as coins; forwardPayload: Slice as remaining;
}
struct JettonData { totalSupply: Int; mintable: Bool; admin: Address; content: Cell; walletCode: Cell; }
struct WalletData { balance: Int; owner: Address; master: Address; code: Cell; }

contract Wallet {
  balance: Int as coins;
  owner: Address;
  master: Address;
  init(owner: Address, master: Address) { self.balance = 0; self.owner = owner; self.master = master; }
  receive(msg: InternalTransfer) {
    require(sender() == self.master, "Not from the master");
    self.balance += msg.amount;
  }
  get fun get_wallet_data(): WalletData {
    return WalletData{ balance: self.balance, owner: self.owner, master: self.master, code: (initOf Wallet(self.owner, self.master)).code };
  }
}

trait Minting {
  totalSupply: Int as coins;
  owner: Address;
  content: Cell;
  fun give(to: Address, transfer: Cell, amount: Int) {
    require(sender() == self.owner, "Not the owner");
    self.totalSupply += amount;
    let state: StateInit = initOf Wallet(to, myAddress());
    send(SendParameters{ to: contractAddress(state), value: 0, mode: SendRemainingValue, bounce: true, code: state.code, data: state.data, body: transfer });
  }
  fun transferOf(amount: Int): Cell {
    return InternalTransfer{ queryId: 0, amount: amount, sender: myAddress(), responseDestination: null, forwardTonAmount: 0, forwardPayload: emptySlice() }.toCell();
  }
  get fun get_jetton_data(): JettonData {
    return JettonData{ totalSupply: self.totalSupply, mintable: true, admin: self.owner, content: self.content, walletCode: (initOf Wallet(myAddress(), myAddress())).code };
  }
  get fun get_wallet_address(owner: Address): Address { return contractAddress(initOf Wallet(owner, myAddress())); }
}
`;

/** @param message what mints, and what it does with it */
function source(message: string, action: string): string {
  return `${shared}${message}
contract Minter with Minting {
  totalSupply: Int as coins;
  owner: Address;
  content: Cell;
  init(owner: Address, content: Cell) { self.totalSupply = 0; self.owner = owner; self.content = content; }
  receive() {}
  ${action}
}
`;
}

const byReceiver = 'receive(msg: Mint) { self.give(msg.receiver, self.transferOf(msg.amount), msg.amount); }';

/** Minters in Tact as its published templates make them, each with another mint message. */
export const tactJettons = {
  'of the first template': source('message Mint { amount: Int; receiver: Address; }', byReceiver),
  'with an amount in coins': source('message Mint { amount: Int as coins; receiver: Address; }', byReceiver),
  'with a payload to forward': source(
    `message JettonMint {
  origin: Address; receiver: Address; amount: Int; custom_payload: Cell?; forward_ton_amount: Int as coins; forward_payload: Slice as remaining;
}`,
    'receive(msg: JettonMint) { self.give(msg.receiver, self.transferOf(msg.amount), msg.amount); }',
  ),
  'that reads the internal transfer, whose sender it needs': source(
    'message(0x642b7d07) Mint { queryId: Int as uint64; receiver: Address; tonAmount: Int as coins; mintMessage: Cell; }',
    'receive(msg: Mint) { let transfer: InternalTransfer = InternalTransfer.fromCell(msg.mintMessage); self.give(msg.receiver, transfer.toCell(), transfer.amount); }',
  ),
} as const;
