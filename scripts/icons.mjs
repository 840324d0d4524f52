// `npm run icons`: makes the icons of every system from electron/icons/icon.png. The results are committed, so that packaging needs
// neither this script nor electron-builder's icon tool, which is a download.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BICUBIC, createICNS, createICO } from 'png2icons';
import { projectFolder } from './tool.mjs';

const folder = join(projectFolder, 'electron', 'icons');
const linuxFolder = join(folder, 'linux');
const source = readFileSync(join(folder, 'icon.png'));

const ico = createICO(source, BICUBIC, 0, true);
const icns = createICNS(source, BICUBIC, 0);
if (!ico || !icns) throw new Error('electron/icons/icon.png is not a PNG of 1024 by 1024 pixels.');
writeFileSync(join(folder, 'icon.ico'), ico);
writeFileSync(join(folder, 'icon.icns'), icns);

rmSync(linuxFolder, { recursive: true, force: true });
mkdirSync(linuxFolder);
for (const png of [...picturesInIco(ico), pictureInIcns(icns, 'ic09')]) {
  const size = png.readUInt32BE(16);
  writeFileSync(join(linuxFolder, `${size}x${size}.png`), png);
}

/** The PNG files in an ICO file: https://en.wikipedia.org/wiki/ICO_(file_format) @param {Buffer} file @returns {Buffer[]} */
function picturesInIco(file) {
  return Array.from({ length: file.readUInt16LE(4) }, (_, index) => {
    const entry = 6 + index * 16;
    const start = file.readUInt32LE(entry + 12);
    return file.subarray(start, start + file.readUInt32LE(entry + 8));
  });
}

/**
 * One picture of an ICNS file; `ic09` has 512 pixels: https://en.wikipedia.org/wiki/Apple_Icon_Image_format
 * @param {Buffer} file
 * @param {string} type
 * @returns {Buffer}
 */
function pictureInIcns(file, type) {
  for (let start = 8; start < file.length; start += file.readUInt32BE(start + 4)) {
    if (file.toString('latin1', start, start + 4) !== type) continue;
    return file.subarray(start + 8, start + file.readUInt32BE(start + 4));
  }
  throw new Error(`The ICNS file has no image "${type}".`);
}
