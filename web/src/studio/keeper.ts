/** Keeps the last project in the browser, so that a reload loses nothing. One project, of a size that is bounded. */

const DATABASE = "brickbybrick";
const STORE = "projects";
const LAST = "last";
const MOST = 30_000_000; // characters; a file of 20 MB takes 27 million

/** Forgets the one before. What is too large is not kept, and what was there stays. */
export async function keep(text: string): Promise<void> {
  if (text.length > MOST) return;
  await inStore("readwrite", (store) => store.put(text, LAST));
}

/** The last project's text; null where there is none, or where the browser keeps nothing. */
export async function lastKept(): Promise<string | null> {
  const found = await inStore("readonly", (store) => store.get(LAST) as IDBRequest<unknown>);
  return typeof found === "string" ? found : null;
}

export async function forget(): Promise<void> {
  await inStore("readwrite", (store) => store.delete(LAST));
}

/** A browser that keeps nothing, in a private window say, is no reason to fail. */
async function inStore<Result>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result | null> {
  try {
    const database = await opened();
    try {
      return await answered(act(database.transaction(STORE, mode).objectStore(STORE)));
    } finally {
      database.close();
    }
  } catch {
    return null;
  }
}

function opened(): Promise<IDBDatabase> {
  const asked = window.indexedDB.open(DATABASE, 1);
  asked.onupgradeneeded = () => asked.result.createObjectStore(STORE);
  return answered(asked);
}

function answered<Result>(asked: IDBRequest<Result>): Promise<Result> {
  return new Promise((done, failed) => {
    asked.onsuccess = () => done(asked.result);
    asked.onerror = () => failed(new Error(asked.error?.message ?? "the browser keeps nothing"));
  });
}
