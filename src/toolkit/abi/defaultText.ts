/** A field's default value in a source, as stack text if possible: `ton("0.05")` is 0.05ton. */
export function defaultText(source: string): string {
  return source
    .replace(/^ton\("([\d.]+)"\)$/, '$1ton')
    .replace(/^address\("([^"]+)"\)$/, '$1')
    .replace(/^emptyMap\(\)$/, 'null');
}
