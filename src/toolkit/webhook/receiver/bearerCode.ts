/** A receiver's `isGenuine(body, headers, token)` for bearer tokens. */
export const bearerSignature = `/** Whether the delivery has the token. An unset token would accept forgeries, so it must not be empty. */
function isGenuine(_body, headers, token) {
  const expected = Buffer.from('Bearer ' + token);
  const given = Buffer.from((headers.authorization ?? '').replace(/^bearer /i, 'Bearer '));
  return given.length === expected.length && timingSafeEqual(given, expected);
}
`;

/** The secret and the `sign(body, token?)` of its test. */
export const bearerSign = `const secret = 'a token for tests';

function sign(_body, token = secret) {
  return { Authorization: 'Bearer ' + token };
}
`;

/** The test that only the token is accepted. */
export const bearerTest = `test('a delivery without the token is refused', async () => {
  for (const headers of [{}, sign('', 'another token'), sign('', secret.toUpperCase()), { Authorization: secret }, { Authorization: 'Bearer ' }]) {
    assert.equal(await post(delivery(), headers), 401, JSON.stringify(headers));
  }
  assert.equal(await countPaid(), 0);
});
`;
