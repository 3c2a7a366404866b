/** Whether an HTTP status says that the request succeeded. */
export function isHttpSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}
