import { limits } from '../../base/limits';

/** A recorded request to the APIs. */
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
  /** The request's body, truncated at the limit `loggedBody`. */
  body: string;
  /** The client's own name (`user-agent`). */
  client?: string;
  /** The path or body was truncated: the request cannot be replayed. */
  isCut?: true;
}

const kept = 1_000;

/** The last requests, oldest first. */
export class RequestLog {
  readonly #requests: RecordedRequest[] = [];
  #next = 1;

  add(request: Omit<RecordedRequest, 'id'>): void {
    const path = cut(request.path.replace(/([?&]api_key=)[^&]*/g, '$1…'), limits.loggedPath.most);
    const body = cut(request.body, limits.loggedBody.most);
    const isCut = body !== request.body || path.length > limits.loggedPath.most;
    this.#requests.push({ ...request, id: this.#next, path, body, ...(isCut ? { isCut } : {}) });
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

/** A copy: a slice would keep the whole text in memory. */
function cut(text: string, most: number): string {
  return text.length <= most ? text : `${Buffer.from(text.slice(0, most), 'utf16le').toString('utf16le')}…`;
}
