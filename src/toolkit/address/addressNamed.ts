/**
 * The address of a name: as it is written, else of the only account whose name has the same letters and digits, because
 * a contract's source, its wrapper, and its deployment spell one name in different ways (`func_counter`,
 * `FuncCounter`).
 */
export function addressNamed(name: string, accounts: ReadonlyMap<string, string>): string | undefined {
  const exact = accounts.get(name);
  const plain = lettersOf(name);
  if (exact !== undefined || plain === '') {
    return exact;
  }
  const alike = new Set(
    [...accounts].flatMap(([one, address]) => (lettersOf(one) === plain ? [address] : [])),
  );
  return alike.size === 1 ? [...alike][0] : undefined;
}

function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[_-]+/g, '');
}
