// `npm start` and `npm test` on a fresh clone. This file keeps to syntax that old Node versions
// parse, so that they get a sentence and not a stack; the work is in prepare.mjs.
var MINIMUM = [20, 19];

var found = process.versions.node.split('.').map(Number);
var isOldEnough = found[0] > MINIMUM[0] || (found[0] === MINIMUM[0] && found[1] >= MINIMUM[1]);

if (!isOldEnough) {
  console.error(
    'Oriel needs Node ' +
      MINIMUM.join('.') +
      ' or newer; this is Node ' +
      process.versions.node +
      ' (' +
      process.execPath +
      ').\nInstall a current Node from https://nodejs.org, or with nvm: nvm install 22',
  );
  process.exitCode = 1;
} else {
  import('./prepare.mjs')
    .then(function (prepare) {
      return prepare.run(process.argv[2], process.argv.slice(3));
    })
    .then(
      function (exitCode) {
        process.exitCode = exitCode;
      },
      function (failure) {
        console.error((failure && failure.stack) || String(failure));
        process.exitCode = 1;
      },
    );
}
