/**
 * Prints a message for people. On stderr, because stdout belongs to scripts.
 * @param {string} text
 */
export const say = (text) => {
  process.stderr.write(`${text}\n`);
};
