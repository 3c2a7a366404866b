/**
 * Contracts in Tolk that answer, from their data, the get-methods by which the indexed API recognizes them.
 */

export const sampleContract = `
import "@stdlib/gas-payments"
fun onExternalMessage(_: slice) { acceptExternalMessage(); }
fun onInternalMessage(in: InMessage) {}
fun onRunTickTock(isTock: bool) {}
`;

/** Data: owner, collection, ^name, records (TEP-62, TEP-81). */
export const domainItem = `
fun onInternalMessage(in: InMessage) {}
fun parts(): (address, address, cell, dict) {
    var data = contract.getData().beginParse();
    return (data.loadAddress(), data.loadAddress(), data.loadRef(), data.loadDict());
}
get fun get_nft_data(): (int, int, address, address, cell) {
    val (owner, collection, name, _) = parts();
    return (-1, 7, collection, owner, name);
}
get fun get_domain(): slice {
    val (_, _, name, _) = parts();
    return name.beginParse();
}
get fun dnsresolve(subdomain: slice, category: int): (int, dict) {
    val (_, _, _, records) = parts();
    return (8, records);
}
`;

/** Data: dictionaries of signers and of proposers (multisig v2). */
export const multisig = `
fun onInternalMessage(in: InMessage) {}
get fun get_multisig_data(): (int, int, dict, dict) {
    var data = contract.getData().beginParse();
    return (3, 1, data.loadDict(), data.loadDict());
}
`;

/** Data: the multisig, its signers, the first of whom has approved, and what is to be done. */
export const multisigOrder = `
fun onInternalMessage(in: InMessage) {}
get fun get_order_data(): (address, int, int, bool, dict, int, int, int, cell) {
    var data = contract.getData().beginParse();
    return (data.loadAddress(), 2, 2, false, data.loadDict(), 1, 1, 1900000000, data.loadRef());
}
`;

/** Data: sender, owner and whitelist (a dictionary by workchain and hash). */
export const vestingWallet = `
fun onInternalMessage(in: InMessage) {}
get fun get_vesting_data(): (int, int, int, int, int, address, address, dict) {
    var data = contract.getData().beginParse();
    val sender = data.loadAddress();
    return (1700000000, 31536000, 2592000, 604800, ton("100"), sender, data.loadAddress(), data.loadDict());
}
`;
