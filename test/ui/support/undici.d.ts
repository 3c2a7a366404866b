/** A WebSocket whose headers can be set, Origin and Host included; Node.js 20 has none. */
declare module 'undici/lib/web/websocket/websocket.js' {
  export { WebSocket } from 'undici/types/websocket';
}
