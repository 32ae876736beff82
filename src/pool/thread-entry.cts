/**
 * Entry of a thread: loads the module that its start data names, and runs tasks by the default export.
 * Piscina would `require` that module, and Node aborts the whole process when a thread is terminated amid a
 * `require` of ES modules, by the end of the process too; amid an `import` it may be.
 */
const loaded: Promise<{ default: (task: unknown) => unknown }> = import('node:worker_threads').then(
  ({ workerData }) => import(workerData.module),
)
// A thread whose module cannot be loaded ends of it, whether a task waits or not.
loaded.catch(error =>
  setImmediate(() => {
    throw error
  }),
)

module.exports = async (task: unknown): Promise<unknown> => (await loaded).default(task)
