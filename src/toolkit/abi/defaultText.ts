/** The default value of a field as a source writes it, as stack text where it can be written so: `ton("0.05")` is 0.05ton. */
export function defaultText(source: string): string {
  return source
    .replace(/^ton\("([\d.]+)"\)$/, '$1ton')
    .replace(/^address\("([^"]+)"\)$/, '$1')
    .replace(/^emptyMap\(\)$/, 'null');
}
