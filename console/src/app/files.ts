import { LotwardError, NoAnswer } from '@lotward/client';
import { csrfHeaders } from './api.js';
import { changedPaths } from './changes.js';
import { noteResult } from './connection.js';
import { refreshPaths } from './queries.js';
import { withSession } from './session-end.js';

interface Upload {
  file: File;
  /** From 0 to 1. */
  onProgress?: (share: number) => void;
  signal?: AbortSignal;
}

/** Sends a file with `PUT`, and resolves after the queries that it changed are refreshed. */
export async function uploadFile(path: string, upload: Upload): Promise<void> {
  await withSession(path, () => send('PUT', path, upload));
  await refreshPaths(changedPaths(path));
}

export async function removeFile(path: string): Promise<void> {
  await withSession(path, () => send('DELETE', path));
  await refreshPaths(changedPaths(path));
}

/** Uses XMLHttpRequest, because `fetch` does not report upload progress. */
function send(method: string, path: string, upload?: Upload): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const fail = (error: unknown) => {
      noteResult(error);
      reject(error);
    };
    const query = upload ? `?fileName=${encodeURIComponent(upload.file.name)}` : '';
    request.open(method, path + query);
    for (const [name, value] of Object.entries(csrfHeaders())) request.setRequestHeader(name, value);
    if (upload) request.setRequestHeader('content-type', upload.file.type || 'application/octet-stream');
    request.upload.onprogress = ({ loaded, total }) => upload?.onProgress?.(total > 0 ? loaded / total : 0);
    request.onload = () => {
      if (request.status !== 200) return fail(errorOf(request));
      noteResult();
      resolve();
    };
    request.onerror = () => fail(new NoAnswer('no response from the service'));
    request.onabort = () => reject(upload?.signal?.reason);
    upload?.signal?.addEventListener('abort', () => request.abort());
    request.send(upload?.file);
  });
}

function errorOf(request: XMLHttpRequest): LotwardError {
  const failure = { status: request.status, code: 9999, message: `HTTP ${request.status}` };
  try {
    return new LotwardError({ ...failure, ...JSON.parse(request.responseText) });
  } catch {
    return new LotwardError(failure);
  }
}

/** Downloads a file as a blob of the type that the page displays. */
export async function readFile(path: string, type: string, signal: AbortSignal): Promise<Blob> {
  const response = await fetch(path, { signal }).catch((cause) => {
    throw signal.aborted ? signal.reason : new NoAnswer('no response from the service', { cause });
  });
  if (!response.ok) {
    const failure = { status: response.status, code: 9999, message: `HTTP ${response.status}` };
    throw new LotwardError({ ...failure, ...(await response.json().catch(() => ({}))) });
  }
  return new Blob([await response.arrayBuffer()], { type });
}
