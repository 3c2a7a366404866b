/** Whether an HTTP status says that the request succeeded. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}
