def test_content_that_was_taken_down_is_neither_shown_nor_made(service, video_site):
    link = video_site.video("taken")
    job = service.run(url=link, mode="audio")
    service.command("takedown", "add", link)
    for answer in (service.get(f"/v1/jobs/{job['job_id']}"), service.post("/v1/context", json={"url": link})):
        assert (answer.status_code, answer.json()["error"]["code"]) == (451, "blocked_content")
    assert not (service.data_dir / "results" / f"{job['job_id']}.json").exists()


def test_content_can_be_allowed_again(service, video_site):
    link = video_site.video("given-back")
    service.command("takedown", "add", link)
    assert link in [row["name"] for row in service.command("takedown", "list")]
    service.command("takedown", "remove", link)
    assert service.post("/v1/context", json={"url": link, "mode": "audio"}).status_code == 202


def test_what_is_blocked_is_told_as_it_is_listed(service, video_site):
    blocked = service.command("takedown", "add", video_site.video("told"))
    assert set(blocked) == {"name", "created_at"} and blocked in service.command("takedown", "list")
