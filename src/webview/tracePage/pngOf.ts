/** A picture larger than this is refused by browsers, or exhausts memory. */
const mostPixels = 64_000_000;

/**
 * An SVG file as a PNG, in base64, at twice its size where that fits.
 *
 * @throws Error if the browser cannot draw it
 */
export async function pngOf(svg: string): Promise<string> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const scale = Math.min(2, Math.sqrt(mostPixels / Math.max(1, image.width * image.height)));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.floor(image.width * scale));
  canvas.height = Math.max(1, Math.floor(image.height * scale));
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL('image/png').replace(/^data:image\/png;base64,/, '');
}
