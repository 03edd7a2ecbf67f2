package import CloudCommands
import GatewayModel
import Settings
package import SettingsReading

extension [GatewaySettings.Issuer] {
    /// Reads the issuers' keys from their files, and applies the rotations. Blocking I/O.
    ///
    /// - Parameter successors: rotations, from the journal of commands.
    /// - Throws: each file that cannot be used, with its place in the settings.
    package func pinned(rotatedBy successors: [String: String] = [:]) async throws(SettingsError)
        -> [PinnedIssuer]
    {
        var (issuers, problems): ([PinnedIssuer], [SettingsProblem]) = ([], [])
        for issuer in self {
            do throws(PinnedKey.Fault) {
                let keys = try await issuer.pinnedKeys()
                let pinned = PinnedIssuer(
                    id: issuer.id, keys: keys, may: issuer.may, mayAccept: issuer.mayAccept,
                    hasDesk: issuer.hasDesk, runs: issuer.runs)
                issuers.append(try await pinned.rotated(by: successors))
            } catch {
                problems.append(issuer.problem("\(error)"))
            }
        }
        if problems.isEmpty, let kid = PinnedIssuer.sharedKeyID(of: issuers), let last {
            problems.append(
                last.problem(
                    "the kid '\(kid)' is that of two keys, expected each key to have its own: rename one"))
        }
        guard problems.isEmpty else { throw .problems(problems) }
        return issuers
    }
}

extension GatewaySettings.Issuer {
    fileprivate func pinnedKeys() async throws(PinnedKey.Fault) -> [PinnedKey] {
        let bytes: [UInt8]
        do throws(SettingsError) {
            bytes = try readKeys()
        } catch {
            throw PinnedKey.Fault(description: error.description)
        }
        do throws(PinnedKey.Fault) {
            return try await PinnedIssuer.keys(in: bytes)
        } catch {
            throw PinnedKey.Fault(description: "\(keys): \(error)")
        }
    }
}
