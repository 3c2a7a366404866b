/** `code JettonWallet`, `code contracts/wallet.tolk`: what follows is no cell in another form. */
const named = /(?<=^|[\s,:(])code\s{1,20}(?=([\p{L}_][\p{L}\d_./-]{0,200}))/gu;

/** The names of contracts whose codes a text to parse uses, without those that only begin another form of a cell. */
export function codeNamesIn(text: string): string[] {
  const names = [...text.matchAll(named)].flatMap(([, name = '']) =>
    /^(?:cell|slice|file|str|b|x|code|data|te6cc.*|b5ee9c.*)$/i.test(name) ? [] : [name],
  );
  return [...new Set(names)];
}
