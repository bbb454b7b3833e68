/**
 * The one place that reads the environment. What needs a variable takes it as an argument from
 * the composition root.
 */
export function readEnvironment(): NodeJS.ProcessEnv {
  return process.env;
}
