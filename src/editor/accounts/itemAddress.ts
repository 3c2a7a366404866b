/** A tree row that stands for an account, in whatever view. */
interface AccountItem {
  account: { address: string };
}

/** The raw address of a tree row, undefined where the row is no account. */
export function itemAddress(item: unknown): string | undefined {
  return (item as Partial<AccountItem> | undefined)?.account?.address;
}
