/**
 * Tells people something. On stderr, because stdout belongs to scripts.
 * @param {string} text
 */
export const say = (text) => {
  process.stderr.write(`${text}\n`);
};
