/** Where a made receiver listens unless `PORT` says otherwise. */
export const receiverPort = 3000;

/** The URL of a made receiver. */
export function receiverUrl(port = receiverPort): string {
  return `http://127.0.0.1:${port}/webhook`;
}
