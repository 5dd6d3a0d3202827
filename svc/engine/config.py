"""The engine's means, as the operator's settings give them."""

from pathlib import Path

from svc.core.settings import Settings
from svc.engine.request import Config, GeminiAccess, OpenAIAccess


def config_for(settings: Settings, work_dir: Path) -> Config:
    return Config(
        models_dir=str(settings.folder("models")),
        work_dir=str(work_dir),
        allow_hosts=settings.allow_hosts,
        asr_provider=settings.provider_of("asr"),
        visual_provider=settings.provider_of("visual"),
        synthesis_provider=settings.provider_of("synthesis"),
        gemini=GeminiAccess(settings.gemini_api_key, settings.gemini_base_url, settings.gemini_model),
        openai=OpenAIAccess(
            api_key=settings.openai_api_key,
            base_url=settings.openai_base_url,
            model=settings.openai_model,
            stt_base_url=settings.openai_stt_base_url or settings.openai_base_url,
            stt_model=settings.openai_stt_model,
        ),
        whisper_model=settings.whisper_model or None,
        extractor_plugins=settings.extractor_plugins,
        resolve_seconds=settings.limits.service.resolve_seconds,
    )
