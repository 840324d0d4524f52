// The chart on the screen as a picture of its own: SVG with its styles written into it, and PNG drawn from that.

const properties = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-opacity',
  'stroke-linejoin',
  'paint-order',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
  'display',
  'visibility',
] as const;
const [margin, lineHeight] = [16, 20];

export type ChartPicture = { svg: string; width: number; height: number };

/**
 * `charts` are the parts of the chart from left to right (axis, tracks, axis); `lines` are written above them, such as the
 * place and the time of the fetch.
 */
export function chartPicture(charts: readonly SVGSVGElement[], lines: readonly string[]): ChartPicture {
  const widths = charts.map((chart) => chart.getBoundingClientRect().width);
  const tallest = Math.max(0, ...charts.map((chart) => chart.getBoundingClientRect().height));
  const width = widths.reduce((sum, one) => sum + one, 2 * margin);
  const top = margin + lines.length * lineHeight;
  const height = top + tallest + margin;
  const picture = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  picture.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  for (const [name, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` }))
    picture.setAttribute(name, String(value));
  const page = getComputedStyle(document.body);
  const ground = add(picture, 'rect', { width: '100%', height: '100%' });
  ground.setAttribute('fill', page.backgroundColor);
  lines.forEach((line, index) => {
    const text = add(picture, 'text', { x: margin, y: margin + (index + 0.7) * lineHeight });
    text.textContent = line;
    text.setAttribute('fill', page.color);
    text.setAttribute('font-family', page.fontFamily);
    text.setAttribute('font-size', index === 0 ? '15' : '12');
  });
  let x = margin;
  charts.forEach((chart, index) => {
    const copy = chart.cloneNode(true) as SVGSVGElement;
    writeStyles(chart, copy);
    copy.setAttribute('x', String(x));
    copy.setAttribute('y', String(top));
    picture.append(copy);
    x += widths[index] ?? 0;
  });
  return { svg: new XMLSerializer().serializeToString(picture), width, height };
}

function add(parent: SVGElement, name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  parent.append(element);
  return element;
}

/** As attributes: classes mean nothing outside of the page, and its policy allows no styles in elements. */
function writeStyles(from: Element, to: Element): void {
  const style = getComputedStyle(from);
  for (const name of properties) to.setAttribute(name, style.getPropertyValue(name));
  for (const name of ['class', 'style']) to.removeAttribute(name);
  Array.from(from.children).forEach((child, index) => {
    const copy = to.children[index];
    if (copy) writeStyles(child, copy);
  });
}

/** At twice the size, for screens with small pixels. Throws if the browser can't draw it. */
export async function pngOf({ svg, width, height }: ChartPicture): Promise<Uint8Array<ArrayBuffer>> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [Math.ceil(width * 2), Math.ceil(height * 2)];
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, 'image/png');
  });
  if (!blob) throw new Error('The chart could not be drawn.');
  return new Uint8Array(await blob.arrayBuffer());
}
