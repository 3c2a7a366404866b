/** Why text is not the name of a get-method or a decimal method id; undefined if it is. */
export function methodNameProblem(text: string): string | undefined {
  const method = text.trim();
  if (method === '') {
    return 'Enter the name of a get-method, for example seqno.';
  }
  if (/^-?\d+$/.test(method)) {
    return undefined;
  }
  const characters = [...method];
  const bad = characters.findIndex((character) => !/[\w:.?!'~$%&*+\-/<=>^|]/.test(character));
  return bad < 0
    ? undefined
    : `Character ${bad + 1} ("${characters[bad]}") is not allowed in the name of a get-method.`;
}
