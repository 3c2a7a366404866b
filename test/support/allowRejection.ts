/**
 * Ignores unhandled rejections with a text in their message, which a library is known to leave; all others are uncaught
 * exceptions, as in Node by default. Returns a function that ends it.
 */
export function allowRejection(text: string): () => void {
  const event = 'unhandledRejection';
  const others = process.listeners(event);
  const listen = (reason: unknown): void => {
    if (!String(reason instanceof Error ? reason.message : reason).includes(text)) {
      throw reason;
    }
  };
  process.removeAllListeners(event);
  process.on(event, listen);
  return () => {
    process.removeListener(event, listen);
    others.forEach((other) => process.on(event, other));
  };
}
