import { expect, test } from 'vitest';
import { layOutBadges } from './badge-layout.ts';

const PICTURE = { width: 400, height: 300 };

test('tags stay inside the picture, and none hides another where there is room', () => {
  const marks = Array.from({ length: 24 }, (_, at) => ({
    ref: `e${at}`,
    frame: { x: (at % 6) * 66, y: Math.floor(at / 6) * 70, width: 60, height: 40 },
  }));
  const badges = layOutBadges(marks, PICTURE);
  expect(badges).toHaveLength(24);
  for (const [index, { tag }] of badges.entries()) {
    expect(tag.x >= 0 && tag.y >= 0 && tag.x + tag.width <= 400 && tag.y + tag.height <= 300).toBe(
      true,
    );
    for (const other of badges.slice(index + 1)) {
      const apart =
        tag.x + tag.width <= other.tag.x ||
        other.tag.x + other.tag.width <= tag.x ||
        tag.y + tag.height <= other.tag.y ||
        other.tag.y + other.tag.height <= tag.y;
      expect(apart, `${badges[index]?.ref} and ${other.ref}`).toBe(true);
    }
  }
});
