import { TonConnectUI } from '@tonconnect/ui';

const status = document.querySelector('[role=status]');
const buy = document.querySelector('#buy');
const till = new URLSearchParams(location.search).get('till');
const ui = new TonConnectUI({
  manifestUrl: `${location.origin}/tonconnect-manifest.json`,
  analytics: { mode: 'off' },
});

ui.onStatusChange((wallet) => {
  buy.disabled = wallet === null;
  status.textContent = wallet === null ? 'Not connected' : 'Connected';
});
document.querySelector('#connect').addEventListener('click', () => {
  // The wallet that the tests inject needs no list of wallets, and no window to choose from it.
  if (window.tonWorkbench !== undefined) {
    ui.connector.connect({ jsBridgeKey: 'tonWorkbench' });
  } else {
    ui.openModal();
  }
});
buy.addEventListener('click', async () => {
  status.textContent = 'Waiting for the wallet';
  try {
    await ui.sendTransaction({
      validUntil: Math.floor(Date.now() / 1000) + 300,
      messages: [{ address: till, amount: '1000000000' }],
    });
    status.textContent = 'Thank you';
  } catch (error) {
    status.textContent = /reject|declin/i.test(String(error))
      ? 'You have cancelled the payment'
      : String(error);
  }
});
