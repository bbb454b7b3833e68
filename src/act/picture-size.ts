import type { PictureFormat } from '../model/capture.ts';

export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** Reads a picture's size from its header; the pictures are Chromium's own. */
export function sizeOfPicture(content: Buffer, format: PictureFormat): PictureSize {
  switch (format) {
    case 'png':
      // The header chunk comes first (PNG, section 11.2.1).
      return { width: content.readUInt32BE(16), height: content.readUInt32BE(20) };
    case 'jpeg':
      return sizeOfJpeg(content);
    case 'webp':
      return sizeOfWebp(content);
  }
}

/** The frame header is any SOF segment: C0 to CF but for C4, C8 and CC (ITU T.81, B.1.1.3). */
function sizeOfJpeg(content: Buffer): PictureSize {
  for (let at = 2; at + 9 < content.length; at += 2 + content.readUInt16BE(at + 2)) {
    const marker = content.readUInt8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) {
      return { width: content.readUInt16BE(at + 7), height: content.readUInt16BE(at + 5) };
    }
  }
  return { width: 0, height: 0 };
}

/** Lossy, lossless or extended container (RFC 9649, section 2). */
function sizeOfWebp(content: Buffer): PictureSize {
  const kind = content.toString('latin1', 12, 16);
  if (kind === 'VP8X') {
    return { width: content.readUIntLE(24, 3) + 1, height: content.readUIntLE(27, 3) + 1 };
  }
  if (kind === 'VP8L') {
    const bits = content.readUInt32LE(21);
    return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
  }
  return { width: content.readUInt16LE(26) & 0x3fff, height: content.readUInt16LE(28) & 0x3fff };
}
