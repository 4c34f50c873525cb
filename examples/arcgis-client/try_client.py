"""Tries the Python client `arcgis` (2.4.x) on the embedded portal: what it does there works as on a deployment.

    portal-conformance serve --port 8099 --tls --logins --write portal.yaml &
    python3 try_client.py portal.yaml

It makes a collaboration with a guest, adds a workspace, syncs one, updates the run of a task, and removes all of it.
"""

import os
import sys
import tempfile
import time
import warnings

import yaml
from arcgis.gis import GIS

warnings.filterwarnings("ignore")


def signed_in(base_url, login):
    """Signs in by user name and password; the certificate of the embedded portal is its own."""
    url = base_url.removesuffix("/sharing/rest")
    return GIS(
        url, login["username"], login["password"], verify_cert=False, use_gen_token=True
    )


def collaborate(host, guest):
    """Makes a collaboration with the guest in it, adds a workspace and syncs the first one."""
    os.chdir(tempfile.mkdtemp())
    host.admin.collaborations.collaborate_with(guest, "client", "made by the client")
    collaboration = next(each for each in host.admin.collaborations.list() if "client" in each.name)
    group = host.groups.create(title="Roads", tags="roads")
    added = collaboration.add_workspace("Roads", "All roads", {}, group)
    assert added["success"] and added["workspace"]["collaborationId"] == collaboration.id, added
    joined = guest.admin.collaborations.list()[0]
    synced = joined.sync(joined.workspaces[0]["id"])
    assert synced["success"] and synced["jobId"], synced
    assert collaboration.delete() is True
    assert host.admin.collaborations.list() == []


def run_task(host):
    """Schedules a task, waits for a run and updates it."""
    user = host.users.me
    item = host.content.folders.get().add(
        {"title": "Empty", "type": "Notebook", "tags": "a", "text": "{}"}
    )
    item = item.result() if hasattr(item, "result") else item
    task = user.tasks.create(item, "*/1 * * * ?", "ExecuteNotebook", 1, title="once")
    deadline = time.time() + 30
    while not task.runs and time.time() < deadline:
        time.sleep(0.2)
    assert task.runs[0].update("executing", "seen by the client") is True
    assert task.runs[0].properties["result"] == "seen by the client"
    assert task.delete() is True
    assert item.delete(permanent=True) is True


def main(file):
    with open(file, encoding="utf-8") as lines:
        configuration = yaml.safe_load(lines)
    logins = configuration["administration"]
    host = signed_in(configuration["target"]["baseUrl"], logins["host"])
    guest = signed_in(configuration["portals"]["guest"]["baseUrl"], logins["guest"])
    collaborate(host, guest)
    run_task(host)
    for gis in (host, guest):
        for group in gis.users.get(gis.users.me.username).groups:
            assert group.delete() is True
    print("The client works.")


if __name__ == "__main__":
    main(sys.argv[1])
