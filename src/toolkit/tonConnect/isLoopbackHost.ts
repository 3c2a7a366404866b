/** Whether a host name, without port, is this machine. */
export function isLoopbackHost(hostname: string): boolean {
  return /^(?:127(?:\.\d{1,3}){3}|(?:[a-z0-9-]+\.)*localhost|\[::1\])$/i.test(hostname);
}
