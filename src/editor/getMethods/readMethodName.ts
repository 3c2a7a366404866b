/** Reads what a user typed for a get-method: a name or a decimal method id. */
export function readMethodName(text: string): { ok: true } | { ok: false; reason: string } {
  const method = text.trim();
  if (method === '') {
    return { ok: false, reason: 'Enter the name of a get-method, for example seqno.' };
  }
  if (/^-?\d+$/.test(method)) {
    return { ok: true };
  }
  const characters = [...method];
  const bad = characters.findIndex((character) => !/[\w:.?!'~$%&*+\-/<=>^|]/.test(character));
  return bad < 0
    ? { ok: true }
    : { ok: false, reason: `Character ${bad + 1} ("${characters[bad]}") cannot stand in a method's name.` };
}
