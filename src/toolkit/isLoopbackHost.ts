/** Whether a host, with or without a port, is this machine: `localhost:8081`, `127.0.0.1`, `[::1]`, `app.localhost`. */
export function isLoopbackHost(host: string): boolean {
  return /^(?:127(?:\.\d{1,3}){3}|(?:[a-z0-9-]+\.)*localhost|\[::1\])(?::\d+)?$/i.test(host);
}
