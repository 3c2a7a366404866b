/** Methods that only read, by the beginnings of their names. */
const reading = '(?:is[A-Z]|preload|remaining|get|to[A-Z]|hash)';

/** A longer line is not read: it may do anything. */
const longest = 1_000;

/** Whether a line can change a variable: it assigns it, alone or with others, or calls something on it that can. */
export function assigns(text: string, variable: string): boolean {
  if (text.length > longest) {
    return true;
  }
  const code = text.replace(/(?:\/\/|;;).*/, '');
  const name = variable.replaceAll(/[$?*+|()[\]{}^\\.]/g, String.raw`\$&`);
  const own = String.raw`(?<![\w$.?!])${name}(?![\w$?!])`;
  return (
    new RegExp(String.raw`${own}(?:\.[\w$]+)*\s*(?:<<|>>|[-+*%&|^~/]|[~^]/)?=(?!=)`).test(code) ||
    new RegExp(String.raw`${own}(?:~|(?:\.[\w$]+)*\.(?!${reading})[\w$]+\s*(?:<[^<>()]*>)?\()`).test(code) ||
    new RegExp(String.raw`\bmutate\s+${own}`).test(code) ||
    new RegExp(String.raw`[([][^()=]*${own}[^()=]*[)\]]\s*=(?!=)`).test(code)
  );
}
