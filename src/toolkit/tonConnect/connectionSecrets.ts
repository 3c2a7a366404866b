/**
 * The secrets in what a connection keeps, so that no text shows them: who has the secret key of its session speaks for the
 * connection.
 *
 * @param values as the SDK keeps them: JSON, by name
 */
export function connectionSecrets(values: Readonly<Record<string, string>>): string[] {
  const found: string[] = [];
  for (const value of Object.values(values)) {
    try {
      JSON.parse(value, (name, one: unknown) => {
        if (name === 'secretKey' && typeof one === 'string') {
          // The second is how the SDK's own errors write it.
          found.push(one, Buffer.from(one, 'hex').join(','));
        }
        return one;
      });
    } catch {
      // It is no JSON: an id, for example.
    }
  }
  return found;
}
