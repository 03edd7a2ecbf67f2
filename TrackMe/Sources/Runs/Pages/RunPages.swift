public import Logging
public import WebPages

/// Pages and API of runs: for spectators without a session, for organisers and for runners.
public struct RunPages: Sendable {
    private let parts: RunParts
    private let frames: RunFrames

    public init(parts: SiteParts, service: RunService, hub: RunHub) {
        self.parts = RunParts(site: parts, service: service, hub: hub)
        frames = RunFrames(service.runs, clock: parts.clock, boot: parts.bootClock, hub: hub)
    }

    public var routes: [Route] {
        SpectatorPages(parts: parts, frames: frames).routes + RunnerPages(parts: parts).routes
            + OrganiserPages(parts: parts).routes + RunAPI(parts: parts, frames: frames).routes
            + OrganiserAPI(parts: parts).routes + [Route(RunFiles.script)]
    }

    /// Service that makes the frames of the open pages.
    public func frameLoop(logger: Logger) -> RunFrameLoop {
        RunFrameLoop(frames: frames, hub: parts.hub, clock: parts.site.bootClock, logger: logger)
    }
}
