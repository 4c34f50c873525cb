"""Starts the portal: python3 examples/portal-python --write portal.yaml."""

from __future__ import annotations

import argparse
import sys

# The folder stays as it came.
sys.dont_write_bytecode = True

from configuration import configuration  # noqa: E402
from faults import FAULTS, broken_portal  # noqa: E402
from web import Handler, Server  # noqa: E402


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog='portal-python', description='A small portal that keeps the contract.')
    parser.add_argument('--port', type=int, default=0, help='its port on 127.0.0.1 (default: a free one)')
    parser.add_argument('--write', metavar='FILE', help='write the configuration into a file instead of printing it')
    parser.add_argument('--break', dest='faults', metavar='NAME', action='append', default=[], choices=FAULTS,
                        help='break the contract in one way; repeatable')
    parser.add_argument('--list', action='store_true', help='list the ways to break it, and end')
    return parser.parse_args()


def main() -> int:
    options = arguments()
    if options.list:
        for name, fault in FAULTS.items():
            print(f'{name}: {fault.__doc__}')
        return 0
    with Server(('127.0.0.1', options.port), Handler) as server:
        origin = f'http://127.0.0.1:{server.server_address[1]}'
        Handler.portal = broken_portal(origin, options.faults)
        announcement = f'The portal answers at {origin}/api until interrupted (Ctrl-C).'
        if options.write is None:
            print(f'# {announcement}\n{configuration(origin)}', end='', flush=True)
        else:
            with open(options.write, 'w', encoding='utf-8') as file:
                file.write(configuration(origin))
            print(f'{announcement}\nTry it: portal-conformance run --config {options.write}', flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            pass
    return 0


if __name__ == '__main__':
    sys.exit(main())
