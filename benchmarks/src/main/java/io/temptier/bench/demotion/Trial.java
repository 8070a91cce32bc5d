/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.temptier.bench.demotion;

import org.jspecify.annotations.Nullable;

/**
 * The job, once.
 *
 * @param demotion whether demotion was on
 * @param seconds from the job's start to its end, as the JobHistoryServer knows them
 * @param bytesDemoted what was moved meanwhile
 * @param filesDemoted the outputs it was
 * @param peakFill the most that the fast disk was filled, 0 to 1
 * @param spilledBytes what was placed on the slow disk because the fast one had no room
 * @param off why nothing is demoted, or null
 */
record Trial(
    boolean demotion,
    double seconds,
    long bytesDemoted,
    long filesDemoted,
    double peakFill,
    long spilledBytes,
    @Nullable String off) {}
