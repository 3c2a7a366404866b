/** In the state of a workspace: whether a listener has been started in it, so that there may be deliveries. */
export const hadListenerKey = 'webhookListenerStarted';
