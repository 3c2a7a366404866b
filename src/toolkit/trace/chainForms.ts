/** What a piece of text can be on the chain. */
export type ChainForm = 'address' | 'hash';

/** Addresses in both forms, and hashes in hex and base64, as separate words. */
const patterns: Record<ChainForm, RegExp> = {
  address: /(?<![\w+/-])(?:[EUk0][Qf][A-Za-z0-9_-]{46}|-?\d:[0-9a-fA-F]{64})(?![\w+/-])/g,
  hash: /(?<![\w:+/-])(?:(?:0x)?[0-9a-fA-F]{64}|[A-Za-z0-9+/]{43}=)(?![\w=+/-])/g,
};

/** Finds such forms in the text, as offsets. */
export function findForms(text: string, form: ChainForm): { offset: number; text: string }[] {
  return [...text.matchAll(patterns[form])].map((match) => ({ offset: match.index, text: match[0] }));
}

/**
 * Whether 64 hex digits in a file can be assumed to be hashes: in settings or key files they may be secrets, and
 * looking one up would send it to a service.
 */
export function mayHoldSecrets(path: string): boolean {
  return /(^|\/)\.env[^/]*$|\.(pem|key|pk|secret|env)$|secret|mnemonic|private/i.test(path);
}
