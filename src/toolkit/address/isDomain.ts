const domainForm = /^(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+(?:ton|t\.me)$/i;

/** The longest name that TON DNS can hold, in characters. */
const longest = 126;

/** Whether a text is a TON DNS domain: `foundation.ton`, `someone.t.me`. */
export function isDomain(text: string): boolean {
  const trimmed = text.trim();
  return trimmed.length <= longest && domainForm.test(trimmed);
}

/** The domains among the words of a text, each once, as written there. */
export function domainsIn(text: string): string[] {
  return [...new Set(text.split(/[^\w.-]+/).filter(isDomain))];
}
