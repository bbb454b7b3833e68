const CAUSES = [
  [/ENOSPC/, () => 'The disk is full. Free some space and run the command again.'],
  [
    /EROFS/,
    (root) => `${root} is on a read-only file system. Use a clone on a disk that can be written.`,
  ],
  [
    /EACCES|EPERM/,
    (root) =>
      `No permission to write in ${root}. Run the command as the user who owns the folder, or clone it somewhere that you own.`,
  ],
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|network request/,
    () =>
      'The npm registry could not be reached. Check the network, the proxy (`npm config get proxy`) and the registry (`npm config get registry`).',
  ],
  [/ENOENT.*npm|npm: not found/, () => 'npm was not found on the PATH. It comes with Node.'],
];

/**
 * What a failed set-up command means and what to do, followed by the end of its output and the
 * command that shows it alone.
 */
export function explainFailure(output, command, root) {
  const cause = CAUSES.find(([pattern]) => pattern.test(output));
  const tail = output.trim().split('\n').slice(-25).join('\n');
  return [
    ...(cause ? [cause[1](root), ''] : []),
    tail,
    '',
    `To see this alone: cd ${root} && ${command}`,
  ].join('\n');
}
