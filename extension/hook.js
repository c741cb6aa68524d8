// In the page's own world, before its scripts: whatever a WebSocket brings is copied for content.js, as it came.
// Nothing is sent, changed or held back.
"use strict";
(() => {
  const base64 = (bytes) => {
    let text = "";
    for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
    return btoa(text);
  };

  // "t" and a text, or "b" and bytes in Base 64.
  const packed = async (data) => {
    if (typeof data === "string") return "t" + data;
    const bytes = data instanceof Blob ? await data.arrayBuffer() : data;
    return "b" + base64(new Uint8Array(bytes));
  };

  const listen = (socket) => {
    const connection = crypto.randomUUID();
    let turn = Promise.resolve(); // a Blob takes a moment to read: each message waits for the one before it
    socket.addEventListener("message", (event) => {
      const data = event.data instanceof ArrayBuffer ? event.data.slice(0) : event.data;
      turn = turn.catch(() => {}).then(async () => postMessage({ kibitz: "heard", connection, message: await packed(data) }, location.origin));
    });
    return socket;
  };

  window.WebSocket = new Proxy(window.WebSocket, {
    construct: (target, args, made) => listen(Reflect.construct(target, args, made)),
  });
})();
