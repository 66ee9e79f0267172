"""What efm-langserver publishes about an opened file, for .ci/editors: editors.py CONFIG FILE."""

import json
import pathlib
import subprocess
import sys
import urllib.parse

config, file = sys.argv[1:]
path = pathlib.Path(file).resolve()
server = subprocess.Popen(["efm-langserver", "-c", config], stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def send(method, params, number=None):
    message = {"jsonrpc": "2.0", "method": method, "params": params}
    if number is not None:
        message["id"] = number
    body = json.dumps(message).encode()
    server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    server.stdin.flush()


def receive():
    length = 0
    while line := server.stdout.readline().strip():
        name, value = line.split(b":")
        if name.lower() == b"content-length":
            length = int(value)
    return json.loads(server.stdout.read(length))


uri = "file://" + urllib.parse.quote(str(path))
root = "file://" + urllib.parse.quote(str(pathlib.Path.cwd()))
send("initialize", {"processId": None, "rootUri": root, "capabilities": {}}, 1)
while receive().get("id") != 1:
    pass
send("initialized", {})
document = {"uri": uri, "languageId": "markdown", "version": 1, "text": path.read_text()}
send("textDocument/didOpen", {"textDocument": document})
while True:
    message = receive()
    if message.get("method") == "textDocument/publishDiagnostics":
        break
server.kill()
for found in message["params"]["diagnostics"]:
    start = found["range"]["start"]
    rule = found["message"].split("]")[0].lstrip("[")
    severity = "EWI"[found["severity"] - 1]
    print(f"{file}:{start['line'] + 1}:{start['character'] + 1} {severity} {rule}")
