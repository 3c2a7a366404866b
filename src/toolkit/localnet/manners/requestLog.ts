/** One request to the APIs, as it was. */
export interface RecordedRequest {
  id: number;
  /** Milliseconds since the Unix epoch. */
  time: number;
  method: string;
  /** Path and query, without an API key. */
  path: string;
  status: number;
  /** Milliseconds. */
  duration: number;
  /** The request's body, cut at {@link bodyLimit} characters. */
  body: string;
}

const bodyLimit = 16_384;
const kept = 1_000;

/** The last requests, oldest first. */
export class RequestLog {
  readonly #requests: RecordedRequest[] = [];
  #next = 1;

  add(request: Omit<RecordedRequest, 'id'>): void {
    const path = request.path.replace(/([?&]api_key=)[^&]*/g, '$1…');
    this.#requests.push({ ...request, id: this.#next, path, body: request.body.slice(0, bodyLimit) });
    this.#next += 1;
    if (this.#requests.length > kept * 2) {
      this.#requests.splice(0, this.#requests.length - kept);
    }
  }

  /** Those after `id`, at most the last thousand. */
  after(id: number): RecordedRequest[] {
    return this.#requests.slice(-kept).filter((request) => request.id > id);
  }

  get(id: number): RecordedRequest | undefined {
    return this.#requests.find((request) => request.id === id);
  }
}
